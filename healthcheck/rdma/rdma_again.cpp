#include <algorithm>

#include "healthcheck/rdma/pair_history.hpp"
#include "healthcheck/rdma/payload_rate.hpp"
#include "healthcheck/rdma/rdma_judge.hpp"

namespace yardmaster {
namespace {

using Kind = RdmaSymptom::Kind;

/// More than this is no single fault, and would cost the time that is left.
constexpr std::size_t kMostPairsAgain = 16;

void add(const RdmaPair& pair, std::vector<RdmaPair>& pairs) {
    if (pairs.size() < kMostPairsAgain &&
        std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) {
        pairs.push_back(pair);
    }
}

/// The ports in the order of the ring.
std::vector<RdmaPort> ports_of(const std::vector<PairHistory>& histories) {
    std::vector<RdmaPort> ports;
    for (const PairHistory& history : histories) {
        if (std::find(ports.begin(), ports.end(), history.pair.from) == ports.end()) {
            ports.push_back(history.pair.from);
        }
    }
    return ports;
}

/// A port that is neither end, `steps` further along the ring.
std::optional<RdmaPort> third_port(const RdmaPair& pair,
                                   const std::vector<RdmaPort>& ports,
                                   const RdmaPort& from,
                                   std::size_t steps) {
    const auto at = std::find(ports.begin(), ports.end(), from);
    if (at == ports.end() || ports.size() < 4) {
        return std::nullopt;  // with fewer, the ring itself has all pairs
    }
    const auto index = static_cast<std::size_t>(at - ports.begin());
    const RdmaPort& port = ports[(index + steps) % ports.size()];
    return port == pair.from || port == pair.to ? std::nullopt : std::optional(port);
}

void add_third_parties(const RdmaPair& pair,
                       const std::vector<RdmaPort>& ports,
                       std::vector<RdmaPair>& pairs) {
    const auto after = third_port(pair, ports, pair.to, 1);
    const auto before = third_port(pair, ports, pair.from, ports.size() - 1);
    if (after && before) {
        add({pair.from, *after}, pairs);
        add({*before, pair.to}, pairs);
    }
}

}  // namespace

std::vector<RdmaPair> pairs_to_measure_again(const RdmaReading& reading) {
    const std::vector<PairHistory> histories = histories_of(reading);
    const std::vector<RdmaPort> ports = ports_of(histories);
    std::vector<RdmaPair> pairs;
    for (const PairHistory& history : histories) {
        if (history.bad) {
            add(history.pair, pairs);
        }
    }
    for (const PairHistory& history : histories) {
        if (history.bad && culprits_of(history, histories).size() > 1) {
            add_third_parties(history.pair, ports, pairs);
        }
        if (history.last.sign == "rdma.unreachable" && !history.pair.self_loop()) {
            add({history.pair.from, history.pair.from}, pairs);
            add({history.pair.to, history.pair.to}, pairs);
        }
    }
    return pairs;
}

RdmaBaselines learned_from(const RdmaReading& reading) {
    RdmaBaselines baselines{reading.baseline};
    for (const PairHistory& history : histories_of(reading)) {
        const RdmaPairReading& last = reading.pairs[history.last_index];
        const bool sound =
            history.last.kind == Kind::kGood || history.last.kind == Kind::kSaysNothing;
        if (sound && last.outcome == RdmaOutcome::kMeasured) {
            learn(pair_name(history.pair), conditions_of(last), best_gbps(last), baselines);
        }
    }
    return baselines;
}

}  // namespace yardmaster
