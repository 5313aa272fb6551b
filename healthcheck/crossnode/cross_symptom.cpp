#include "healthcheck/crossnode/cross_symptom.hpp"

#include <cmath>
#include <map>
#include <optional>

#include "healthcheck/rdma/payload_rate.hpp"

namespace yardmaster {
namespace {

using Kind = CrossSymptom::Kind;

/// With fewer a median is one edge's word against another's.
constexpr std::size_t kLeastForMedian = 4;

/// Median rates of the ring, by the payload that its ports' rates carry.
using UsualRates = std::map<double, double>;

UsualRates usual_rates(const std::vector<CrossEdge>& edges) {
    std::map<double, std::vector<double>> rates;
    for (const CrossEdge& edge : edges) {
        const auto payload = payload_gbps(edge.measured);
        if (payload && edge.purpose == CrossPurpose::kRing &&
            edge.measured.outcome == RdmaOutcome::kMeasured) {
            rates[*payload].push_back(best_gbps(edge.measured));
        }
    }
    UsualRates usual;
    for (auto& [payload, values] : rates) {
        if (values.size() >= kLeastForMedian) {
            usual[payload] = median_of(std::move(values));
        }
    }
    return usual;
}

std::optional<double> usual_of(const RdmaPairReading& measured, const UsualRates& rates) {
    const auto payload = payload_gbps(measured);
    const auto found = payload ? rates.find(*payload) : rates.end();
    return found == rates.end() ? std::nullopt : std::optional(found->second);
}

std::string percent(double share) {
    return std::to_string(std::lround(100 * share));
}

std::string whole(double gbps) {
    return std::to_string(std::lround(gbps));
}

CrossSymptom judge_rate(const RdmaPairReading& measured, const UsualRates& rates, double max_loss) {
    const auto usual = usual_of(measured, rates);
    const double seen = best_gbps(measured);
    if (!usual || seen >= *usual * (1 - max_loss)) {
        return {};
    }
    return {Kind::kBad,
            true,
            "crossnode.bandwidth",
            "far " + percent(seen / *usual) + "%",
            whole(seen) + " Gb/s, other pairs of nodes " + whole(*usual)};
}

CrossSymptom bad(const char* sign, std::string short_text, const RdmaPairReading& measured) {
    return {Kind::kBad, false, sign, std::move(short_text), measured.error};
}

CrossSymptom symptom_of(const RdmaPairReading& measured, const UsualRates& rates, double max_loss) {
    switch (measured.outcome) {
        case RdmaOutcome::kMeasured:
            return judge_rate(measured, rates, max_loss);
        case RdmaOutcome::kNoGid:
            return bad("crossnode.gid", "far no GID", measured);
        case RdmaOutcome::kTooSlow:  // nothing came, and no traffic of others does that for so long
        case RdmaOutcome::kUnreachable:
            return bad("crossnode.unreachable", "far lost", measured);
        case RdmaOutcome::kBroken:
            return bad(
                "crossnode.completion", "far WC " + std::to_string(measured.wc_status), measured);
        case RdmaOutcome::kBadData:
            return bad("crossnode.data", "far data", measured);
        case RdmaOutcome::kPortDown:  // the port check's business
        case RdmaOutcome::kFailed:
            break;
    }
    return {Kind::kSaysNothing, false, "", "", measured.error};
}

}  // namespace

std::vector<CrossSymptom> cross_symptoms(const std::vector<CrossEdge>& edges, double max_loss) {
    const UsualRates rates = usual_rates(edges);
    std::vector<CrossSymptom> symptoms;
    for (const CrossEdge& edge : edges) {
        symptoms.push_back(symptom_of(edge.measured, rates, max_loss));
    }
    return symptoms;
}

}  // namespace yardmaster
