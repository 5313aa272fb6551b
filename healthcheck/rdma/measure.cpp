#include "healthcheck/rdma/measure.hpp"

#include "healthcheck/rdma/open_devices.hpp"
#include "healthcheck/rdma/pair_run.hpp"

namespace yardmaster {
namespace {

/// What follows the stream (the notice, the data, the latency) may take this much more.
constexpr std::chrono::milliseconds kAfterStream{500};

bool prepare(const RdmaPair& pair, OpenDevices& devices, const MeasureSinks& sinks, PairRun& run) {
    EndpointFailure failure;
    VerbsDevice* from = devices.get(pair.from, failure);
    if (from == nullptr) {
        run.fail(pair.from, failure);
        return false;
    }
    VerbsDevice* to = devices.get(pair.to, failure);
    if (to == nullptr) {
        run.fail(pair.to, failure);
        return false;
    }
    sinks.step("connect " + pair_name(pair));
    return run.prepare(*from, *to);
}

void measure_round(VerbsApi& verbs,
                   const std::vector<RdmaPair>& round,
                   const MeasureSettings& settings,
                   OpenDevices& devices,
                   const MeasureSinks& sinks) {
    std::vector<std::unique_ptr<PairRun>> runs;
    for (const RdmaPair& pair : round) {
        runs.push_back(std::make_unique<PairRun>(verbs, settings, pair));
        prepare(pair, devices, sinks, *runs.back());
    }
    std::string names;
    for (const RdmaPair& pair : round) {
        names += (names.empty() ? "" : " ") + pair_name(pair);
    }
    sinks.step("write " + names);
    std::vector<SendingHalf*> senders;
    for (const auto& run : runs) {
        if (run->ready()) {
            senders.push_back(&run->sender());
        }
    }
    run_streams(senders);
    for (const auto& run : runs) {
        if (run->ready()) {
            run->conclude(verbs.now() + kAfterStream);
        }
        sinks.pair(run->reading());
    }
}

}  // namespace

void measure_pairs(VerbsApi& verbs,
                   const std::vector<RdmaPair>& pairs,
                   const MeasureSettings& settings,
                   const MeasureSinks& sinks) {
    OpenDevices devices(verbs, sinks.step);
    MeasureSettings own = settings;
    own.stream.deadline = verbs.now() + settings.budget;
    for (const auto& round : rounds_of(pairs)) {
        if (verbs.now() >= own.stream.deadline) {
            return;
        }
        measure_round(verbs, round, own, devices, sinks);
    }
}

}  // namespace yardmaster
