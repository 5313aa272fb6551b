#include "healthcheck/crossnode/cross_symptom.hpp"

#include <cmath>
#include <optional>

#include "healthcheck/rdma/payload_rate.hpp"

namespace yardmaster {
namespace {

using Kind = CrossSymptom::Kind;

/// With fewer others a median is one edge's word against another's.
constexpr std::size_t kLeastOthers = 3;

/// The median rate of the other edges of the ring that ought to be as fast as `edges[index]`.
std::optional<double> usual_gbps(const std::vector<CrossEdge>& edges, std::size_t index) {
    const auto payload = payload_gbps(edges[index].measured);
    std::vector<double> others;
    for (std::size_t other = 0; payload && other < edges.size(); ++other) {
        const CrossEdge& edge = edges[other];
        if (other != index && edge.purpose == CrossPurpose::kRing &&
            edge.measured.outcome == RdmaOutcome::kMeasured &&
            payload_gbps(edge.measured) == payload) {
            others.push_back(best_gbps(edge.measured));
        }
    }
    return others.size() >= kLeastOthers ? std::optional(median_of(others)) : std::nullopt;
}

std::string whole(double gbps) {
    return std::to_string(std::lround(gbps));
}

CrossSymptom judge_rate(const std::vector<CrossEdge>& edges, std::size_t index, double max_loss) {
    const RdmaPairReading& measured = edges[index].measured;
    const auto usual = usual_gbps(edges, index);
    const double seen = best_gbps(measured);
    if (measured.outcome == RdmaOutcome::kMeasured && (!usual || seen >= *usual * (1 - max_loss))) {
        return {};
    }
    const std::string expected = usual ? "/" + whole(*usual) : "";
    return {
        Kind::kBad,
        true,
        "crossnode.bandwidth",
        "far " + whole(seen) + expected,
        whole(seen) + " Gb/s" +
            (usual ? ", other pairs of nodes " + whole(*usual) : ": no write was completed"),
    };
}

CrossSymptom bad(const char* sign, std::string short_text, const RdmaPairReading& measured) {
    return {Kind::kBad, false, sign, std::move(short_text), measured.error};
}

}  // namespace

CrossSymptom cross_symptom(const std::vector<CrossEdge>& edges,
                           std::size_t index,
                           double max_loss) {
    const RdmaPairReading& measured = edges[index].measured;
    switch (measured.outcome) {
        case RdmaOutcome::kMeasured:
        case RdmaOutcome::kTooSlow:
            return judge_rate(edges, index, max_loss);
        case RdmaOutcome::kNoGid:
            return bad("crossnode.gid", "far no GID", measured);
        case RdmaOutcome::kUnreachable:
            return bad("crossnode.unreachable", "far no answer", measured);
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

}  // namespace yardmaster
