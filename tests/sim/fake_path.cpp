#include "tests/sim/fake_path.hpp"

#include <algorithm>
#include <vector>

#include "healthcheck/port/port_reader.hpp"
#include "healthcheck/port/rate.hpp"

namespace yardmaster::sim {
namespace {

/// Headers take this much on a port of MTU 4096: NDR carries 397.5 Gb/s.
constexpr double kPayloadShare = 4096.0 / (4096 + 26);
constexpr double kPayloadShareRoce = 4096.0 / (4096 + 82);

double payload_gbps(const WireEnd& end) {
    const PortReading reading = read_port(end.folder + "/sys", end.device, 1);
    const auto rate = parse_port_rate(reading.rate.value_or(""));
    const double share = reading.link_layer == "Ethernet" ? kPayloadShareRoce : kPayloadShare;
    return (rate ? rate->gbps : 1) * share;
}

RdmaScenario scenario_of(const WireEnd& end) {
    const auto scenario = load_rdma_scenario(end.folder + "/rdma/rdma.json");
    return scenario ? *scenario : RdmaScenario{};
}

SimNic nic_of(const RdmaScenario& scenario, const std::string& device) {
    const auto found = scenario.nics.find(device);
    return found == scenario.nics.end() ? SimNic{} : found->second;
}

bool is_cut(const RdmaScenario& sender, const WireEnd& from, const WireEnd& to) {
    return std::any_of(sender.cuts.begin(), sender.cuts.end(), [&](const SimCut& cut) {
        return cut.from == from.device && cut.folder == to.folder && cut.to == to.device;
    });
}

}  // namespace

FakePath path_between(const WireEnd& from, const WireEnd& to) {
    const RdmaScenario sender = scenario_of(from);
    const SimNic source = nic_of(sender, from.device);
    const SimNic target = nic_of(scenario_of(to), to.device);
    std::vector<SimPath> parts = {source.all, target.all};
    const bool far = from.folder != to.folder;
    if (far) {
        parts.insert(parts.end(), {source.far_send, target.far_receive});
    }
    const auto suffers = [&](const char* fault) {
        return std::any_of(
            parts.begin(), parts.end(), [&](const SimPath& part) { return part.fault == fault; });
    };
    FakePath path;
    path.from = from.device;
    path.to = far ? to.folder + "/" + to.device : to.device;
    const bool self_loop = path.from == path.to;
    const bool apart = sender.separate && from.device != to.device;
    path.silent = apart || is_cut(sender, from, to) || (suffers("retry") && !self_loop);
    path.breaks = suffers("broken");
    path.spoils = suffers("bad-data");
    path.gbps = std::min(payload_gbps(from), payload_gbps(to));
    path.gbps *= std::min_element(parts.begin(), parts.end(), [](auto& a, auto& b) {
                     return a.share < b.share;
                 })->share;
    return path;
}

}  // namespace yardmaster::sim
