#include "tests/faults/matrix_node.hpp"

#include "healthcheck/kept_state.hpp"
#include "healthcheck/reason.hpp"
#include "tests/sim/commands.hpp"

namespace yardmaster::faults {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// What hangs is given up after this; anything else gets its time on however busy a machine.
constexpr milliseconds kHungBudget{2500};

#ifdef YM_NCCL_PROBE
constexpr const char* kNcclProbe = YM_NCCL_PROBE;
#else
constexpr const char* kNcclProbe = "";
#endif

bool hangs(const Fault& fault) {
    return fault.commands.find("hang") != std::string_view::npos;
}

std::string shown(const Report& report) {
    const Finding* finding = primary(report.findings);
    if (finding == nullptr) {
        return "";
    }
    if (report.verdict == Verdict::kDegraded) {
        const std::string reason = format_reason({cause_of(*finding), 1, "n0-1-1", true, ""});
        return reason.substr(0, reason.find(" job ")).substr(0, kReasonShown);
    }
    return finding->short_text.empty() ? finding->sign : cause_of(*finding);
}

}  // namespace

bool has_nccl_probe() {
    return std::string_view(kNcclProbe) != "";
}

MatrixNode::MatrixNode(const sim::SimModel& model) : node_(folder_.path()) {
    settings_ = sim::default_settings();
    static_cast<void>(sim::set_model(settings_, std::string(model.name)));  // it is in the list
    for (unsigned gpu : settings_.minors) {
        scope_.gpus.push_back(gpu);
        scope_.rails.push_back({settings_.rails[gpu], 1, settings_.rail_gbps, {gpu}});
    }
    scope_.node = "n0";
    scope_.node_gpus = static_cast<unsigned>(settings_.minors.size());
    scope_.node_rails = settings_.rails;
}

CheckSources MatrixNode::sources(Looking looking) const {
    CheckSources sources{node_.sysfs_root(), node_.nvml_library(), folder_ / "state"};
    sources.rdma.mode = looking == Looking::kRdma ? CheckMode::kOn : CheckMode::kOff;
    sources.rdma.library = node_.verbs_library();
    sources.rdma.probe = YM_RDMA_PROBE;
    sources.nccl.mode = looking == Looking::kNccl ? CheckMode::kOn : CheckMode::kOff;
    sources.nccl.cuda_library = node_.cuda_library();
    sources.nccl.library = node_.nccl_library();
    sources.nccl.probe = kNcclProbe;
    sources.proven_for = seconds(0);  // every run measures
    return sources;
}

Seen MatrixNode::look(Looking looking, milliseconds budget) const {
    Seen seen{run_checks(scope_, sources(looking), Clock::now() + budget), ""};
    seen.shown = shown(seen.report);
    return seen;
}

Seen MatrixNode::look_and_keep(Looking looking) const {
    Seen seen = look(looking);
    static_cast<void>(keep_state(seen.report, sources(looking)));
    return seen;
}

Result<Seen> MatrixNode::look_with(const Fault& fault) const {
    Status status = node_.heal();
    for (const auto& words : command_words(fault)) {
        if (status) {
            status = sim::run_command(words[0], node_, {words.begin() + 1, words.end()});
        }
    }
    if (!status) {
        return status;
    }
    return look(fault.looking, hangs(fault) ? kHungBudget : milliseconds(seconds(60)));
}

bool as_expected(const Fault& fault, const sim::SimModel& model, const Seen& seen) {
    if (!can_exist(fault.where, model)) {
        return seen.report.verdict != Verdict::kDegraded;
    }
    const std::string wanted = shown_on(fault, model);
    const bool text = wanted.ends_with("*")
                          ? seen.shown.starts_with(wanted.substr(0, wanted.size() - 1))
                          : seen.shown == wanted;
    return seen.report.verdict == fault.verdict && text;
}

}  // namespace yardmaster::faults
