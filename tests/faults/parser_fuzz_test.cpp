// Damaged text never crashes or holds up what reads it, and what it refuses it says with the place.
// What it takes is judged too: no reading may crash a judge.
#include <gtest/gtest.h>

#include "healthcheck/baseline/counter_baseline.hpp"
#include "healthcheck/evidence.hpp"
#include "healthcheck/judge.hpp"
#include "healthcheck/port/rate.hpp"
#include "healthcheck/rdma/rdma_baseline.hpp"
#include "healthcheck/readers.hpp"
#include "healthcheck/reason.hpp"
#include "prolog/environment.hpp"
#include "prolog/policy.hpp"
#include "tests/faults/matrix_node.hpp"
#include "tests/faults/mutation.hpp"
#include "topology/fabric.hpp"
#include "topology/hostlist.hpp"

namespace yardmaster::faults {
namespace {

using std::chrono::seconds;

constexpr std::uint64_t kSeed = 20260117;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kWhole = 300;  // of large documents
constexpr int kLines = 2000;
#else
constexpr int kWhole = 2000;
constexpr int kLines = 10000;
#endif
/// Of any one text, on however busy a machine: far above what any takes, far below a hang.
constexpr seconds kLongest{5};

/// Whether a message about a document says where: its file, "line 3 column 7", or "$.nodes[2]".
bool tells_place(const std::string& message, const std::string& file) {
    return message.find(file) != std::string::npos &&
           (message.find("$") != std::string::npos || message.find("line ") != std::string::npos);
}

/// For what has no places: one line, a number.
constexpr const char* kNoDocument = nullptr;

/// Gives `read(text) -> Status` `count` damaged texts; undamaged it must take the first. Refusals
/// of documents must tell the place, in `file` ("": it has no name).
template <typename Read>
void fuzz(const std::vector<std::string>& texts, int count, const char* file, Read read) {
    const Status whole = read(texts[0]);
    ASSERT_TRUE(whole) << whole.message();
    count *= fuzz_factor();
    Mutator mutator(kSeed + static_cast<std::uint64_t>(fuzz_factor()));
    int refused = 0;
    for (int i = 0; i < count; ++i) {
        const std::string text = mutator.damage(texts);
        const auto begin = Clock::now();
        const Status status = read(text);
        ASSERT_LT(Clock::now() - begin, kLongest) << "#" << i << ": " << text;
        if (!status) {
            ++refused;
            ASSERT_FALSE(status.message().empty()) << text;
            ASSERT_TRUE(file == kNoDocument || tells_place(status.message(), file))
                << "#" << i << ": \"" << status.message() << "\" for " << text.substr(0, 200);
        }
    }
    EXPECT_GT(refused, count / 20) << "the damage is too small to tell anything";
    EXPECT_LT(refused, count - count / 50) << "the damage is too great to get far";
}

/// Reads a document as `Object` by its from_json; JSON that cannot be parsed is not its business.
template <typename Object>
Result<Object> parse_as(const std::string& text) {
    const auto document = JsonDocument::parse(text);
    if (!document) {
        return document.status();
    }
    Object object{};
    const Status status = from_json(document->root(), object);
    return status ? Result<Object>(std::move(object)) : status;
}

Report healthy_report(const char* model) {
    const MatrixNode node(*sim::find_sim_model(model));
    EXPECT_TRUE(node.create());
    return node.look_and_keep(Looking::kRdma).report;
}

Evidence evidence_of(const char* model) {
    Evidence evidence;
    evidence.id = "n0-1-1700000000";
    evidence.version = "0.1.0";
    evidence.report = healthy_report(model);
    return evidence;
}

TEST(ParserFuzz, EvidenceIsRefusedWithThePlaceOrJudged) {
    const std::vector<std::string> texts = {to_json(evidence_of("h100-hgx-roce")).dump_exact(),
                                            to_json(evidence_of("gb200-nvl72")).dump_exact()};
    fuzz(texts, kWhole, "", [](const std::string& text) {
        const auto evidence = parse_as<Evidence>(text);
        if (evidence) {
            const Report& report = evidence->report;
            static_cast<void>(combine(judge(report.scope, report.readings)));
        }
        return evidence.status();
    });
}

TEST(ParserFuzz, ReadersLinesAreRefusedOrJudged) {
    const Report report = healthy_report("b200-hgx");
    const Readings& r = report.readings;
    const auto line = [](const char* kind, JsonValue value) {
        return JsonValue::object().set(kind, std::move(value)).dump_exact();
    };
    const std::vector<std::string> texts = {line("inventory", to_json(r.inventory)),
                                            line("port", to_json(r.ports.at(0))),
                                            line("nvml", to_json(r.nvml)),
                                            line("gpu", to_json(r.gpus.at(0))),
                                            line("identity", to_json(r.identities.at(0))),
                                            line("pci", to_json(r.pci.at(0))),
                                            line("wiring", to_json(r.wiring)),
                                            R"({"rdma_step": "mlx5_0>mlx5_1"})",
                                            R"({"rdma_end": true})"};
    for (const std::string& text : texts) {
        Readings readings;
        const Status status = apply_line(text, readings);
        ASSERT_TRUE(status) << status.message() << text.substr(0, 100);
    }
    Readings readings;
    int lines = 0;
    fuzz(texts, kLines, "", [&](const std::string& text) {
        if (++lines % 16 == 0) {
            readings = report.readings;
        }
        const Status status = apply_line(text, readings);
        static_cast<void>(combine(judge(report.scope, readings)));
        return status;
    });
}

TEST(ParserFuzz, StateFilesAreRefusedWithThePlace) {
    const CounterBaseline counters{"b-1", {{"mlx5_0", {12.5, {{"counters/link_downed", 3}}}}}};
    fuzz({to_json(counters).dump_exact()}, kLines, "", [](const std::string& text) {
        return parse_as<CounterBaseline>(text).status();
    });
    const RdmaBaselines rates{{{"mlx5_0>mlx5_1", "400 Gb/sec (4X NDR)", {390.5, 391, 392}}}};
    fuzz({to_json(rates).dump_exact()}, kLines, "", [](const std::string& text) {
        return parse_as<RdmaBaselines>(text).status();
    });
}

TEST(ParserFuzz, FabricFileIsRefusedWithItsName) {
    const std::vector<std::string> texts = {R"({"version": 1,
        "node_types": {"h100": {"gpus": 2, "nvlink_gigabytes_per_s": 450, "rails": [
            {"nic": "mlx5_0", "gbps": 400}, {"nic": "mlx5_1", "gbps": 400}]}},
        "nodes": {"n[0-7]": "h100"}, "nvlink_domains": {"d0": "n[0-3]"},
        "exceptions": [{"node": "n0", "gpu": 1, "nic": "mlx5_4", "gbps": 400}],
        "switches": [{"name": "spine", "children": [{"name": "leaf0", "nodes": "n[0-3]"},
            {"name": "leaf1", "oversubscription": 2, "nodes": "n[4-7]"}]}]})"};
    fuzz(texts, kLines, "fabric.json", [](const std::string& text) {
        return Fabric::parse(text, "fabric.json").status();
    });
}

TEST(ParserFuzz, PolicyIsRefusedWithItsName) {
    const std::vector<std::string> texts = {
        R"({"health": {"enforce": false, "deadline_s": 7, "evidence_dir": "/var/lib/%n",
            "counters": {"window_s": 600, "symbol_ber": 1e-12},
            "breaker": {"max_drains": 4, "window_s": 3600}, "rdma": {"mode": "auto"}},
            "placement": {}})"};
    fuzz(texts, kLines, "yardmaster.json", [](const std::string& text) {
        return parse_policy(text, "yardmaster.json", "n0").status();
    });
}

TEST(ParserFuzz, PortTextsAreRefusedOrMeanSomething) {
    fuzz({"400 Gb/sec (4X NDR)", "2.5 Gb/sec (1X)", "0 GB/sec", "56 Gb/sec (4X FDR)"},
         kLines,
         kNoDocument,
         [](const std::string& text) {
             const auto rate = parse_port_rate(text);
             EXPECT_TRUE(!rate || rate->gbps > 0) << text;
             return rate.status();
         });
    fuzz({"4: ACTIVE", "5: LinkUp", "1: DOWN"}, kLines, kNoDocument, [](const std::string& text) {
        return parse_port_state(text).status();
    });
}

TEST(ParserFuzz, ReasonsOfOthersAreNotTakenForOurs) {
    const std::vector<std::string> texts = {
        format_reason({"mlx5_3 100/400Gb", 12, "n0-12-1700000000", true, "mlx5_3: runs at 100"}),
        "ym GPU2 missing job 7 ev n0-7-1700000000",
        "Prolog error",
        "ym gone to lunch"};
    fuzz(texts, kLines, kNoDocument, [](const std::string& text) {
        const auto reason = parse_reason(text);
        if (!reason) {
            return Status(ErrorCode::kMalformed, "not ours");
        }
        EXPECT_TRUE(is_our_reason(text)) << text;
        EXPECT_LE(format_reason(*reason).size(), kReasonMaxBytes);
        return Status::ok();
    });
}

TEST(ParserFuzz, ListsOfGpusAndHostsAreRefusedOrBounded) {
    fuzz({"0,1,4-6", "0-7", "3"}, kLines, kNoDocument, [](const std::string& text) {
        const auto gpus = yardmaster::parse_gpu_list(text);
        EXPECT_TRUE(!gpus || gpus->size() <= 1024) << text;
        return gpus.status();
    });
    fuzz({"yard[01-03],gpu7", "n[0-7]", "a1,a2,b[1,3,5-9]c[1-2]"},
         kLines,
         kNoDocument,
         [](const std::string& text) {
             const auto hosts = expand_hostlist(text, 5000);
             EXPECT_TRUE(!hosts || hosts->size() <= 5000) << text;
             return hosts.status();
         });
}

TEST(ParserFuzz, NodeNamesAndIdsAreSafeInAPath) {
    Mutator mutator(kSeed);
    for (int i = 0; i < kLines; ++i) {
        const std::string text = mutator.damage({"yard07", "yard07-1234-1700000000", "../x"});
        if (is_node_name(text) || is_evidence_id(text)) {
            EXPECT_EQ(text.find_first_of(std::string("/\0\n $", 5)), std::string::npos) << text;
            EXPECT_NE(text, "..");
        }
    }
}

}  // namespace
}  // namespace yardmaster::faults
