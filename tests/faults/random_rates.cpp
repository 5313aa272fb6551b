// The rates between rails that RandomReadings draws.
#include "healthcheck/rdma/payload_rate.hpp"
#include "healthcheck/rdma/rdma_judge.hpp"
#include "tests/faults/random_readings.hpp"

namespace yardmaster::faults {
namespace {

constexpr double kNoise = 0.015;  // of one window, as its share: rdma_policy.hpp
constexpr double kDips = 0.03;    // share of windows that lose a third to the traffic of others
constexpr int kWindows = 4;       // of one measurement

RdmaEndReading end_of(const RdmaPort& port, const Drawn& drawn) {
    RdmaEndReading end;
    end.port = port;
    for (const PortReading& reading : drawn.readings.ports) {
        if (reading.device == port.device) {
            end.rate = reading.rate.value_or("");
            end.ethernet = reading.link_layer == "Ethernet";
        }
    }
    end.firmware = "28.39.1002 SIMULATED";
    end.mtu_bytes = 4096;
    end.gid_scope = end.ethernet ? "routable" : "";
    end.memory = "host";
    end.pcie_gbps = 500;
    return end;
}

bool has(const RdmaPair& pair, const std::string& device) {
    return pair.from.device == device || pair.to.device == device;
}

}  // namespace

std::vector<double> RandomReadings::draw_windows(double gbps) {
    std::normal_distribution<double> noise(1, kNoise);
    std::vector<double> windows;
    for (int i = 0; i < kWindows; ++i) {
        windows.push_back(gbps * noise(random_) * (chance(kDips) ? 2.0 / 3 : 1));
    }
    return windows;
}

RdmaPairReading RandomReadings::draw_pair(const RdmaPair& pair, const Drawn& drawn) {
    RdmaPairReading reading;
    reading.from = end_of(pair.from, drawn);
    reading.to = end_of(pair.to, drawn);
    reading.outcome = RdmaOutcome::kMeasured;
    reading.message_bytes = 1 << 20;
    reading.latency_us = uniform(1, 20);
    return reading;
}

void RandomReadings::draw_rates(Drawn& drawn, const std::string& slow, double share) {
    RdmaReading& rdma = drawn.readings.rdma;
    rdma = {};
    rdma.asked = rdma.ended = true;
    rdma.max_loss = RdmaPolicy{}.max_loss;
    rdma.min_share = RdmaPolicy{}.min_share;
    std::vector<RdmaPort> ports;
    for (const ExpectedRail& rail : drawn.scope.rails) {
        ports.push_back({rail.device, rail.port});
    }
    std::vector<RdmaPair> pairs = ring_of(ports);
    const std::size_t runs_before = pick(kBaselineMost + 1);
    for (const RdmaPair& pair : pairs) {
        const RdmaPairReading reading = draw_pair(pair, drawn);
        RdmaBaseline baseline{pair_name(pair), conditions_of(reading), {}};
        for (std::size_t run = 0; run < runs_before; ++run) {
            RdmaPairReading good = reading;
            good.gbps = draw_windows(payload_gbps(reading).value_or(100));
            baseline.gbps.push_back(best_gbps(good));
        }
        rdma.baseline.push_back(std::move(baseline));
    }
    for (unsigned attempt = 1; attempt <= 2 && !pairs.empty(); ++attempt) {
        for (const RdmaPair& pair : pairs) {
            RdmaPairReading reading = draw_pair(pair, drawn);
            reading.attempt = attempt;
            reading.gbps =
                draw_windows(payload_gbps(reading).value_or(100) * (has(pair, slow) ? share : 1));
            rdma.pairs.push_back(std::move(reading));
        }
        pairs = pairs_to_measure_again(rdma);
    }
}

}  // namespace yardmaster::faults
