// The select plugin's hooks: state that outlives a call, and the guard at the C edge.
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>

#include "plugin/abi/select_hooks.h"
#include "plugin/common/fabric_source.hpp"
#include "plugin/common/job_hints.hpp"
#include "plugin/common/loaded_fabric.hpp"
#include "plugin/common/log.hpp"
#include "plugin/select/decision.hpp"
#include "plugin/select/node_counts.hpp"
#include "plugin/select/node_map.hpp"
#include "plugin/select/rank_note.hpp"
#include "plugin/select/receipt_book.hpp"
#include "plugin/select/receipt_of.hpp"
#include "plugin/select/stock_caller.hpp"
#include "plugin/select/weights_source.hpp"
#include "topology/receipt.hpp"

namespace yardmaster {
namespace {

/// Guarded by `mutex`: slurmctld holds its job write lock around most hooks, but not around those
/// that test a reservation. Stock, which is called with it held, calls no hook.
struct State {
    std::mutex mutex;
    FabricSource source{FabricSource::Tell::kLog};
    WeightsSource weights;
    std::shared_ptr<const LoadedFabric> fabric;  // null: no usable file
    std::optional<NodeMap> map;  // of `fabric`; none after the node table may have changed
    NodeCounts counts;
    ReceiptBook receipts;
    ReceiptBook rank_notes;                          // kept and handed over like receipts
    std::unordered_set<std::uint32_t> told_waiting;  // jobs whose wait is in the log already
};

State& state() {
    static State instance;
    return instance;
}

/// Whether `loaded` is what `fabric` and `weights` make.
bool is_made_of(const LoadedFabric* loaded, const Fabric* fabric, const CostWeights& weights) {
    return loaded == nullptr ? fabric == nullptr
                             : loaded->owner.get() == fabric && loaded->placer.weights() == weights;
}

/// Takes up our files as they are by now, when Slurm has read its configuration.
void follow_files() {
    State& s = state();
    auto now = s.source.current();
    const CostWeights& weights = s.weights.current();
    if (!is_made_of(s.fabric.get(), now.get(), weights)) {
        s.map.reset();
        s.told_waiting.clear();
        s.fabric = now ? std::make_shared<const LoadedFabric>(std::move(now), weights) : nullptr;
    }
}

/// The fabric in force with a map onto today's node table; null when there is no fabric.
std::shared_ptr<const LoadedFabric> fabric_in_force() {
    State& s = state();
    follow_files();
    if (s.fabric && !s.map) {
        s.map.emplace(s.fabric->fabric);
        if (s.map->unknown_to_slurm() > 0) {
            log_info("select: " + std::to_string(s.map->unknown_to_slurm()) +
                     " nodes of the fabric file are not in slurm.conf and are ignored "
                     "(`yardmaster fabric check --live` names them)");
        }
    }
    return s.fabric;
}

void tell_waiting(const ym_job_info& info, const std::string& why) {
    constexpr std::size_t kMostTold = 10000;
    auto& told = state().told_waiting;
    if (told.size() >= kMostTold) {
        told.clear();
    }
    if (told.insert(info.job_id).second) {
        log_error("job " + std::to_string(info.job_id) + " with hard hints waits: " + why);
    }
}

bool deserves_receipt(const ym_job_info& info, const Hints& hints) {
    return !hints.empty() ||
           info.gpus_per_node + info.gpus_per_job + info.gpus_per_task + info.gpus_per_socket > 0;
}

/// Whether the job's AdminComment is a receipt of ours.
bool bears_receipt(const ym_job_info& info) {
    return info.admin_comment != nullptr && is_receipt(info.admin_comment);
}

/// What stands in for hints that cannot be read: some hard hint, since which one cannot be told.
Hints unreadable_hints() {
    Hints hints;
    hints.leaf = true;
    return hints;
}

/// What is told of a placed job when it begins.
struct Telling {
    Receipt receipt;
    std::string ranks;  ///< rank_note
};

/// Stock has allocated already: what goes wrong with a receipt must not become a second answer.
template <typename Tell>
void keep_telling(const ym_job* job, Tell tell) noexcept {
    try {
        const Telling telling = tell();
        state().receipts.keep(job, format_receipt(telling.receipt));
        state().rank_notes.keep(job, telling.ranks);
    } catch (...) {
        ym_log(YM_LOG_ERROR, "select: a receipt was lost to an internal error");
    }
}

/// Placement that is not ours: no fabric, hints that cannot be read, an error inside.
int without_placer(const ym_job_test& test,
                   const ym_job_info& info,
                   const Hints& hints,
                   const std::string& why) {
    if (hints.hard() && test.mode != YM_MODE_TEST_ONLY) {
        tell_waiting(info, why);
        return ym_code_nodes_busy();
    }
    const int code = ym_call_stock(&test, true);
    if (code == 0 && test.mode == YM_MODE_RUN_NOW && deserves_receipt(info, hints)) {
        keep_telling(test.job, [&] {
            const NodeSet nodes = nodes_of(test.bitmap);
            const DealtGpus gpus = dealt_gpus(test.job, info);
            return Telling{stock_receipt(hints, nodes, info, why),
                           rank_note(nullptr, nullptr, nodes, hints, gpus, info)};
        });
    }
    return code;
}

Answer answer(Question& question) {
    switch (question.test.mode) {
        case YM_MODE_TEST_ONLY:
            return test_only(question);
        case YM_MODE_WILL_RUN:
            return will_run(question);
        default:
            return run_now(question);
    }
}

int with_placer(const ym_job_test& test,
                const ym_job_info& info,
                const Hints& hints,
                const LoadedFabric& loaded) {
    const NodeMap& map = *state().map;
    Question question(test, info, hints, loaded, map, state().counts);
    const Answer given = answer(question);
    if (given.code == 0 && test.mode == YM_MODE_RUN_NOW && deserves_receipt(info, hints)) {
        keep_telling(test.job, [&] {
            const NodeSet nodes = question.stock.kept();
            const DealtGpus gpus = dealt_gpus(test.job, info);
            Demand demand = question.demand;
            demand.gpus_per_node = gpus.each > 0 ? gpus.each : demand.gpus_per_node;
            const auto planned = plan_for(loaded, map, nodes, demand);
            const RankPlan* plan = planned ? &*planned : nullptr;
            Receipt receipt = receipt_of(loaded, map, nodes, demand, given, plan);
            count_soft_degraded(question, nodes, receipt);
            return Telling{std::move(receipt),
                           rank_note(&loaded.fabric, plan, nodes, hints, gpus, info)};
        });
    }
    return given.code;
}

int decide(const ym_job_test& test) {
    ym_job_info info;
    ym_job_read(test.job, &info);
    if (test.mode == YM_MODE_RUN_NOW) {
        state().receipts.forget(test.job);
        state().rank_notes.forget(test.job);
    }
    if (info.pending && bears_receipt(info)) {
        ym_job_set_admin_comment(test.job, nullptr);  // of an earlier start
        ym_job_read(test.job, &info);
    }
    const auto hints = settle_hints(test.job, &info);
    if (!hints) {
        return without_placer(test, info, unreadable_hints(), hints.status().message());
    }
    if (belongs_to_stock(test, info, *hints)) {
        return ym_call_stock(&test, true);
    }
    const auto loaded = fabric_in_force();
    if (!loaded) {
        return without_placer(test, info, *hints, "no usable fabric file");
    }
    return with_placer(test, info, *hints, *loaded);
}

/// After an exception: the job as it was, and stock for those whom it can serve.
int after_error(const ym_job_test& test,
                const NodeSet& offered,
                const JobMarks& marks,
                const char* what) {
    log_error(std::string("select: internal error: ") + what);
    assign(test.bitmap, offered);
    marks.restore();
    ym_job_info info;
    ym_job_read(test.job, &info);
    const auto hints = parse_hints(info.hints == nullptr ? "" : info.hints);
    return without_placer(
        test, info, hints ? *hints : unreadable_hints(), "internal error, see the log");
}

/// Runs `body` alone; an exception ends in the log, never in slurmctld.
template <typename Body>
void guarded(const char* where, Body body) noexcept {
    try {
        const std::lock_guard lock(state().mutex);
        body();
    } catch (const std::exception& error) {
        log_error(std::string(where) + ": internal error: " + error.what());
    } catch (...) {
        ym_log(YM_LOG_ERROR, "internal error of unknown kind");
    }
}

}  // namespace
}  // namespace yardmaster

using yardmaster::state;

extern "C" int ym_hook_job_test(ym_job_test* test) {
    int code = ym_code_nodes_busy();
    yardmaster::guarded("job_test", [&] {
        const auto offered = yardmaster::nodes_of(test->bitmap);
        const yardmaster::JobMarks marks(test->job);
        try {
            code = yardmaster::decide(*test);
        } catch (const std::exception& error) {
            code = yardmaster::after_error(*test, offered, marks, error.what());
        } catch (...) {
            code = yardmaster::after_error(*test, offered, marks, "unknown kind");
        }
        if (code == 0 && test->mode == YM_MODE_RUN_NOW) {
            state().counts.forget(yardmaster::nodes_of(test->bitmap));
        }
    });
    return code;
}

extern "C" void ym_hook_job_begin(ym_job* job) {
    yardmaster::guarded("job_begin", [&] {
        const std::string line = state().receipts.take(job);
        const std::string ranks = state().rank_notes.take(job);
        // Always: an earlier start, the rest of an array or a user may have left another.
        ym_job_set_env(job, yardmaster::kRankSheetEnv, ranks.empty() ? nullptr : ranks.c_str());
        ym_job_info info;
        ym_job_read(job, &info);
        state().told_waiting.erase(info.job_id);
        if (line.empty()) {
            return;
        }
        const bool blank = info.admin_comment == nullptr || info.admin_comment[0] == '\0';
        if (!blank && !yardmaster::bears_receipt(
                          info)) {  // somebody's own words are worth more than our receipt
            yardmaster::log_info("job " + std::to_string(info.job_id) + ": " + line);
            return;
        }
        ym_job_set_admin_comment(job, line.c_str());
    });
}

extern "C" void ym_hook_job_fini(ym_job* job) {
    yardmaster::guarded("job_fini", [&] {
        state().receipts.forget(job);
        state().rank_notes.forget(job);
        state().counts.forget(yardmaster::nodes_of(job));
        ym_job_info info;
        ym_job_read(job, &info);
        if (ym_job_is_requeued(job) && yardmaster::bears_receipt(info)) {
            ym_job_set_admin_comment(job, nullptr);
        }
    });
}

extern "C" void ym_hook_resources_moved(void) {
    yardmaster::guarded("resources_moved", [] { state().counts.forget_all(); });
}

extern "C" void ym_hook_nodes_changed(void) {
    yardmaster::guarded("nodes_changed", [] {
        state().map.reset();
        state().counts.forget_all();
        // A bad file is to be in the log at start, not at the first job.
        yardmaster::follow_files();
    });
}

extern "C" void ym_hook_conf_read(void) {
    yardmaster::guarded("conf_read", [] {
        state().source.look_again();
        state().weights.look_again();
    });
    ym_hook_nodes_changed();
}
