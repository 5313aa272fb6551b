#include "healthcheck/crossnode/cross_judge.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "healthcheck/crossnode/cross_conclusion.hpp"

namespace yardmaster {
namespace {

using Kind = CrossConclusion::Kind;
using SamePlace = std::function<bool(const CrossPort&, const CrossPort&)>;

Finding finding_of(const std::string& object, const std::string& sign, std::string detail) {
    Finding finding;
    finding.check = "crossnode";
    finding.object = object;
    finding.sign = sign;
    finding.detail = std::move(detail);
    return finding;
}

std::string edge_name(const CrossEdge& edge) {
    return port_name(edge.from) + " > " + port_name(edge.to);
}

/// All ports of the ring, and those that conclusions blame.
class Suspects {
  public:
    Suspects(const std::vector<CrossEdge>& edges, const std::vector<CrossConclusion>& conclusions) {
        for (const CrossEdge& edge : edges) {
            add(edge.from, all_);
            add(edge.to, all_);
        }
        for (const CrossConclusion& conclusion : conclusions) {
            if (conclusion.kind == Kind::kPort) {
                add(conclusion.culprit, culprits_);
            }
        }
    }

    /// What several culprits have in common, for people; "" when each stands for itself.
    std::string common_place(const CrossPort& port) const {
        const auto leaf_switch = [](const CrossPort& a, const CrossPort& b) {
            return a.leaf == b.leaf && a.rail == b.rail;
        };
        const auto leaf_group = [](const CrossPort& a, const CrossPort& b) {
            return a.leaf == b.leaf;
        };
        const auto anywhere = [](const CrossPort&, const CrossPort&) { return true; };
        if (!port.leaf.empty() && most_are_culprits(port, leaf_switch)) {
            return "the leaf switch of rail " + std::to_string(port.rail) + " in " + port.leaf;
        }
        if (!port.leaf.empty() && most_are_culprits(port, leaf_group)) {
            return "the leaf group " + port.leaf;
        }
        return most_are_culprits(port, anywhere) ? "the fabric" : "";
    }

  private:
    static void add(const CrossPort& port, std::vector<CrossPort>& ports) {
        if (std::find(ports.begin(), ports.end(), port) == ports.end()) {
            ports.push_back(port);
        }
    }

    bool most_are_culprits(const CrossPort& port, const SamePlace& same_place) const {
        const auto here = [&](const CrossPort& other) { return same_place(port, other); };
        const auto measured = std::count_if(all_.begin(), all_.end(), here);
        const auto culprits = std::count_if(culprits_.begin(), culprits_.end(), here);
        std::set<std::string> nodes;
        for (const CrossPort& culprit : culprits_) {
            if (here(culprit)) {
                nodes.insert(culprit.node);
            }
        }
        return nodes.size() >= 2 && 2 * culprits >= measured;
    }

    std::vector<CrossPort> all_;
    std::vector<CrossPort> culprits_;
};

/// Why a port that is a culprit is no reason to drain its node; "" when it is one.
std::string excuse(const CrossConclusion& conclusion, const Suspects& suspects) {
    const std::string place = suspects.common_place(conclusion.culprit);
    if (!place.empty()) {
        return "so are most ports of " + place + ": look there";
    }
    return conclusion.symptom.slow && !conclusion.near
               ? "measured across leaf groups, where traffic of others may slow it"
               : "";
}

Finding blame(const CrossEdge& edge, const CrossConclusion& conclusion, const Suspects& suspects) {
    const std::string why_not = excuse(conclusion, suspects);
    Finding finding = finding_of(port_name(conclusion.culprit.port),
                                 conclusion.symptom.sign,
                                 edge_name(edge) + ": " + conclusion.symptom.detail +
                                     "; again when measured again; " + conclusion.witnesses);
    if (!why_not.empty()) {
        finding.detail += "; " + why_not;
        return finding;
    }
    finding.verdict = Verdict::kDegraded;
    finding.repeated = true;
    finding.short_text = conclusion.symptom.short_text;
    return finding;
}

/// What stays unknown of an edge, told at both its ends.
Finding undecided(const CrossEdge& edge,
                  const CrossConclusion& conclusion,
                  const std::string& node) {
    const CrossPort& own = edge.from.node == node ? edge.from : edge.to;
    const bool pair = conclusion.kind == Kind::kPair;
    return finding_of(
        port_name(own.port),
        pair ? "crossnode.pair" : "crossnode.undecided",
        edge_name(edge) + ": " + conclusion.symptom.detail + "; " +
            (pair ? conclusion.witnesses + ": look at the switches between the two"
                  : std::string("which end it is, or what is between them, could not be decided")));
}

void add_once(Finding finding, std::vector<Finding>& findings) {
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
        return other.object == finding.object && other.sign == finding.sign;
    });
    if (same == findings.end()) {
        findings.push_back(std::move(finding));
    }
}

void judge_edges(const CrossReading& reading,
                 const std::string& node,
                 std::vector<Finding>& findings) {
    const auto conclusions = cross_conclusions(reading.edges, reading.max_loss);
    const Suspects suspects(reading.edges, conclusions);
    for (const CrossConclusion& conclusion : conclusions) {
        const CrossEdge& edge = reading.edges[conclusion.edge];
        const bool own = edge.from.node == node || edge.to.node == node;
        if (conclusion.kind == Kind::kPort && conclusion.culprit.node == node) {
            add_once(blame(edge, conclusion, suspects), findings);
        } else if (own && (conclusion.kind == Kind::kPair || conclusion.kind == Kind::kOpen)) {
            add_once(undecided(edge, conclusion, node), findings);
        }
    }
}

/// Edges that could not be measured, one finding for all.
void judge_failures(const CrossReading& reading,
                    const std::string& node,
                    std::vector<Finding>& findings) {
    std::string text;
    for (const CrossEdge& edge : reading.edges) {
        const bool own = edge.from.node == node || edge.to.node == node;
        if (own && edge.measured.outcome == RdmaOutcome::kFailed) {
            text += (text.empty() ? "" : "; ") + edge_name(edge) + ": " + edge.measured.error;
        }
    }
    if (!text.empty()) {
        findings.push_back(finding_of("", "crossnode.setup", "could not be measured: " + text));
    }
}

void judge_peers(const CrossReading& reading, std::vector<Finding>& findings) {
    std::string text;
    for (const CrossPeer& peer : reading.peers) {
        if (!peer.came || !peer.why.empty()) {
            text += (text.empty() ? "" : "; ") + peer.node + ": " +
                    (peer.why.empty() ? "did not come" : peer.why);
        }
    }
    if (!text.empty()) {
        findings.push_back(finding_of("", "crossnode.peers", text));
    }
}

void judge_missing(const CrossReading& reading, std::vector<Finding>& findings) {
    if (!reading.not_run.empty()) {
        if (reading.needed) {
            findings.push_back(finding_of("", "crossnode.not-run", reading.not_run));
        }
    } else if (!reading.error.empty()) {
        findings.push_back(finding_of("", "crossnode.meeting", reading.error));
    } else if (!reading.ended) {
        findings.push_back(finding_of(
            "", "crossnode.outstanding", "the probe did not end in time, at: " + reading.step));
    }
}

}  // namespace

std::vector<Finding> judge_cross(const CrossReading& reading, const std::string& node) {
    std::vector<Finding> findings;
    if (reading.asked) {
        judge_edges(reading, node, findings);
        judge_failures(reading, node, findings);
        judge_peers(reading, findings);
        judge_missing(reading, findings);
    }
    return findings;
}

}  // namespace yardmaster
