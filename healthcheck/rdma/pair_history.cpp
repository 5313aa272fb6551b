#include "healthcheck/rdma/pair_history.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

using Kind = RdmaSymptom::Kind;

void add(const RdmaSymptom& symptom, std::size_t index, PairHistory& history) {
    history.last = symptom;
    history.last_index = index;
    if (symptom.kind == Kind::kBad) {
        history.repeated = history.bad;
        history.first_bad = history.bad ? history.first_bad : symptom;
        history.bad = true;
    } else if (symptom.kind == Kind::kGood) {
        history.bad = history.repeated = false;
    }
}

/// How a port's other pairs came out.
struct Others {
    unsigned bad = 0;
    unsigned good = 0;
};

Others others_of(const RdmaPort& port,
                 const PairHistory& except,
                 const std::vector<PairHistory>& all) {
    Others others;
    for (const PairHistory& history : all) {
        const bool own = history.pair.from == port || history.pair.to == port;
        if (own && !(history.pair == except.pair) && !history.pair.self_loop()) {
            others.bad += history.bad ? 1 : 0;
            others.good += !history.bad && history.last.kind == Kind::kGood ? 1 : 0;
        }
    }
    return others;
}

}  // namespace

std::vector<PairHistory> histories_of(const RdmaReading& reading) {
    std::vector<PairHistory> histories;
    for (std::size_t i = 0; i < reading.pairs.size(); ++i) {
        const RdmaPair pair = reading.pairs[i].pair();
        auto own = std::find_if(histories.begin(), histories.end(), [&](const PairHistory& other) {
            return other.pair == pair;
        });
        if (own == histories.end()) {
            own = histories.insert(histories.end(), PairHistory{});
            own->pair = pair;
        }
        add(symptom_of(reading, i), i, *own);
    }
    return histories;
}

std::vector<RdmaPort> culprits_of(const PairHistory& history, const std::vector<PairHistory>& all) {
    const RdmaPair& pair = history.pair;
    const std::string& named = history.first_bad.port;
    if (!named.empty()) {
        return {named == port_name(pair.from) ? pair.from : pair.to};
    }
    if (pair.self_loop()) {
        return {pair.from};
    }
    const Others from = others_of(pair.from, history, all);
    const Others to = others_of(pair.to, history, all);
    if (from.bad > 0 && to.bad == 0 && to.good > 0) {
        return {pair.from};
    }
    if (to.bad > 0 && from.bad == 0 && from.good > 0) {
        return {pair.to};
    }
    return {pair.from, pair.to};
}

}  // namespace yardmaster
