#include "healthcheck/rdma/measure.hpp"

#include <algorithm>
#include <map>

#include "healthcheck/rdma/pair_run.hpp"

namespace yardmaster {
namespace {

/// What follows the stream (the notice, the data, the latency) may take this much more.
constexpr std::chrono::milliseconds kAfterStream{500};

/// Devices that are open for the whole measurement: opening one may take longer than using it.
class OpenDevices {
  public:
    OpenDevices(VerbsApi& verbs, const MeasureSinks& sinks) : verbs_(verbs), sinks_(sinks) {}

    /// The device of `port`, opened when it is not yet; nullptr with `failure`.
    VerbsDevice* get(const RdmaPort& port, EndpointFailure& failure) {
        const auto known = devices_.find(port.device);
        if (known != devices_.end()) {
            return known->second.get();
        }
        sinks_.step("open " + port.device);
        auto device = verbs_.open(port.device);
        if (!device) {
            failure.error = device.status().message();
            return nullptr;
        }
        return devices_.emplace(port.device, std::move(device).value()).first->second.get();
    }

  private:
    VerbsApi& verbs_;
    const MeasureSinks& sinks_;
    std::map<std::string, std::unique_ptr<VerbsDevice>> devices_;
};

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

/// Steps all streams in turn until each is over.
void run_streams(std::vector<std::unique_ptr<PairRun>>& runs) {
    std::vector<PairRun*> going;
    for (const auto& run : runs) {
        if (run->ready()) {
            going.push_back(run.get());
        }
    }
    while (!going.empty()) {
        std::erase_if(going, [](PairRun* run) { return !run->step(); });
    }
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
    run_streams(runs);
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
    OpenDevices devices(verbs, sinks);
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
