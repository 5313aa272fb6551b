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

/// A port that no bad pair has; none when there is no such port.
std::optional<RdmaPort> sound_port(const std::vector<PairHistory>& histories) {
    const auto in_bad_pair = [&](const RdmaPort& port) {
        return std::any_of(histories.begin(), histories.end(), [&](const PairHistory& history) {
            return history.bad && (history.pair.from == port || history.pair.to == port);
        });
    };
    for (const PairHistory& history : histories) {
        if (!in_bad_pair(history.pair.from)) {
            return history.pair.from;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<RdmaPair> pairs_to_measure_again(const RdmaReading& reading) {
    const std::vector<PairHistory> histories = histories_of(reading);
    const auto third = sound_port(histories);
    std::vector<RdmaPair> pairs;
    for (const PairHistory& history : histories) {
        if (history.bad) {
            add(history.pair, pairs);
        }
    }
    for (const PairHistory& history : histories) {
        if (history.bad && third && culprits_of(history, histories).size() > 1) {
            add({history.pair.from, *third}, pairs);
            add({*third, history.pair.to}, pairs);
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
