#include "healthcheck/kept_state.hpp"

#include <array>

#include "healthcheck/active_checks.hpp"
#include "healthcheck/baseline/next_baseline.hpp"
#include "healthcheck/baseline/state_file.hpp"
#include "healthcheck/gpu/gpu_numbering.hpp"
#include "healthcheck/nccl/nccl_task.hpp"
#include "healthcheck/rdma/rdma_task.hpp"

namespace yardmaster {
namespace {

CounterBaseline baseline_after(const Report& report) {
    return next_baseline(report.scope, report.readings);
}

ProvenState proven_after(const Report& report, const CheckSources& sources) {
    const Readings& readings = report.readings;
    return next_proven(number_by_minor(report.scope, readings.nvml, readings.gpus).scope,
                       sources,
                       readings,
                       report.findings);
}

bool proven_moves(const ProvenState& next, const ProvenState& kept) {
    const bool any = !next.passes.empty() || !kept.passes.empty();
    return any && to_json(next).dump_exact() != to_json(kept).dump_exact();
}

Status keep_proven(const Report& report, const CheckSources& sources) {
    const ProvenState next = proven_after(report, sources);
    return proven_moves(next, report.readings.proven)
               ? write_state(sources.state_dir, kProvenSubject, to_json(next))
               : Status::ok();
}

}  // namespace

bool counters_move(const Report& report) {
    return baseline_moves(baseline_after(report), report.readings.baseline);
}

bool state_moves(const Report& report, const CheckSources& sources) {
    const Readings& readings = report.readings;
    return counters_move(report) || !readings.rdma.pairs.empty() ||
           !readings.nccl.attempts.empty() ||
           proven_moves(proven_after(report, sources), readings.proven);
}

Status keep_counters(const Report& report, const CheckSources& sources) {
    const CounterBaseline next = baseline_after(report);
    return baseline_moves(next, report.readings.baseline)
               ? write_state(sources.state_dir, kCounterSubject, to_json(next))
               : Status::ok();
}

Status keep_state(const Report& report, const CheckSources& sources) {
    const Readings& readings = report.readings;
    Status first = Status::ok();
    for (const Status& status : std::array{keep_counters(report, sources),
                                           keep_proven(report, sources),
                                           keep_rdma(readings.rdma, sources),
                                           keep_nccl(readings.nccl, report.findings, sources)}) {
        if (first && !status) {
            first = status;
        }
    }
    return first;
}

}  // namespace yardmaster
