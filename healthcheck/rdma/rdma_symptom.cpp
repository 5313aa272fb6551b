#include "healthcheck/rdma/rdma_symptom.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "healthcheck/rdma/gid_choice.hpp"
#include "healthcheck/rdma/payload_rate.hpp"

namespace yardmaster {
namespace {

using Kind = RdmaSymptom::Kind;

const RdmaBaseline* baseline_of(const RdmaReading& reading, const RdmaPairReading& pair) {
    const auto found = std::find_if(
        reading.baseline.begin(), reading.baseline.end(), [&](const RdmaBaseline& baseline) {
            return baseline.pair == pair_name(pair.pair()) &&
                   baseline.gbps.size() >= kBaselineLeast;
        });
    return found == reading.baseline.end() ? nullptr : &*found;
}

/// What the pair did before under the same conditions, Gb/s.
std::optional<double> usual_gbps(const RdmaReading& reading, const RdmaPairReading& pair) {
    const RdmaBaseline* baseline = baseline_of(reading, pair);
    return baseline != nullptr && baseline->conditions == conditions_of(pair)
               ? std::optional(median_of(baseline->gbps))
               : std::nullopt;
}

std::string whole(double gbps) {
    return std::to_string(std::lround(gbps));
}

RdmaSymptom slow(Kind kind, double seen, double expected, const std::string& against) {
    return {kind,
            "rdma.bandwidth",
            "bw " + whole(seen) + "/" + whole(expected),
            whole(seen) + " Gb/s, expected " + whole(expected) + " (" + against + ")",
            ""};
}

bool keeps_its_rate(const RdmaReading& reading, const RdmaPairReading& pair) {
    const auto payload = payload_gbps(pair);
    return pair.outcome == RdmaOutcome::kMeasured && !pair.pair().self_loop() && payload &&
           best_gbps(pair) >= *payload * reading.min_share;
}

/// A pair without a past is held to its port's rate, but only where another pair of the node shows
/// that this node can do it: an IOMMU or a BIOS setting slows all alike, and is no link's fault. A
/// self loop may be slower by design of the NIC.
RdmaSymptom judge_without_past(const RdmaReading& reading, const RdmaPairReading& pair) {
    const auto payload = payload_gbps(pair);
    if (!payload || pair.pair().self_loop()) {
        return {Kind::kSaysNothing, "", "", "", ""};
    }
    if (best_gbps(pair) >= *payload * reading.min_share) {
        return {};
    }
    const bool node_can =
        std::any_of(reading.pairs.begin(), reading.pairs.end(), [&](const RdmaPairReading& other) {
            return keeps_its_rate(reading, other);
        });
    return slow(node_can ? Kind::kBad : Kind::kUnknown,
                best_gbps(pair),
                *payload,
                node_can ? "what the port's rate carries"
                         : "what the port's rate carries; all pairs of this node are slow");
}

RdmaSymptom judge_rate(const RdmaReading& reading, const RdmaPairReading& pair) {
    const auto usual = usual_gbps(reading, pair);
    if (!usual) {
        return judge_without_past(reading, pair);
    }
    if (best_gbps(pair) >= *usual * (1 - reading.max_loss)) {
        return {};
    }
    return slow(Kind::kBad, best_gbps(pair), *usual, "its usual rate");
}

/// Rails of separate fabrics never reach each other. Only a pair that did so before has lost
/// something.
RdmaSymptom judge_unreachable(const RdmaReading& reading, const RdmaPairReading& pair) {
    const bool before = baseline_of(reading, pair) != nullptr;
    return {before ? Kind::kBad : Kind::kUnknown,
            "rdma.unreachable",
            "no answer",
            before ? "no answer, which there was before: " + pair.error
                   : "no answer; are the rails on separate fabrics? " + pair.error,
            ""};
}

unsigned ends_with(const RdmaReading& reading, bool (*wanted)(const RdmaEndReading&)) {
    unsigned count = 0;
    for (const RdmaPairReading& pair : reading.pairs) {
        count += wanted(pair.from) ? 1 : 0;
        count += wanted(pair.to) ? 1 : 0;
    }
    return count;
}

/// A rail without the address that the others have cannot meet them. Where most have none, that is
/// how the site is.
RdmaSymptom judge_gid(const RdmaReading& reading, const RdmaPairReading& pair) {
    const auto reaches = [](const RdmaEndReading& end) {
        const auto scope = parse_gid_scope(end.gid_scope);
        return scope && *scope <= GidScope::kUniqueLocal;
    };
    const auto lags = [](const RdmaEndReading& end) {
        const auto scope = parse_gid_scope(end.gid_scope);
        return scope && *scope > GidScope::kUniqueLocal;
    };
    const bool others_have = ends_with(reading, reaches) >= ends_with(reading, lags);
    const RdmaEndReading& end = port_name(pair.from.port) == pair.failed_port ? pair.from : pair.to;
    const bool none = end.gid_scope == to_string(GidScope::kNone);
    return {others_have ? Kind::kBad : Kind::kUnknown,
            "rdma.gid",
            none ? "no GID" : "GID local",
            pair.error,
            pair.failed_port};
}

RdmaSymptom bad(const char* sign, std::string short_text, const RdmaPairReading& pair) {
    return {Kind::kBad, sign, std::move(short_text), pair.error, ""};
}

}  // namespace

RdmaSymptom symptom_of(const RdmaReading& reading, std::size_t index) {
    const RdmaPairReading& pair = reading.pairs[index];
    switch (pair.outcome) {
        case RdmaOutcome::kMeasured:
        case RdmaOutcome::kTooSlow:
            return judge_rate(reading, pair);
        case RdmaOutcome::kNoGid:
            return judge_gid(reading, pair);
        case RdmaOutcome::kPortDown:
            return {Kind::kSaysNothing, "", "", "", ""};
        case RdmaOutcome::kUnreachable:
            return judge_unreachable(reading, pair);
        case RdmaOutcome::kBroken:
            return bad("rdma.completion", "RDMA WC " + std::to_string(pair.wc_status), pair);
        case RdmaOutcome::kBadData:
            return bad("rdma.data", "RDMA data", pair);
        case RdmaOutcome::kFailed:
            break;
    }
    return {Kind::kUnknown, "rdma.setup", "", "could not be measured: " + pair.error, ""};
}

}  // namespace yardmaster
