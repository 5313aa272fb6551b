#include "healthcheck/crossnode/cross_conclusion.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace yardmaster {
namespace {

using Kind = CrossConclusion::Kind;

bool is_near(const CrossEdge& edge) {
    return edge.from.rail == edge.to.rail && !edge.from.leaf.empty() &&
           edge.from.leaf == edge.to.leaf;
}

/// The edges of one run with their symptoms.
class Run {
  public:
    Run(const std::vector<CrossEdge>& edges, double max_loss)
        : edges_(edges), symptoms_(cross_symptoms(edges, max_loss)) {}

    std::vector<CrossConclusion> conclude() const {
        std::vector<CrossConclusion> conclusions;
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if (edges_[i].purpose == CrossPurpose::kRing && symptoms_[i].bad()) {
                conclusions.push_back(conclude(i));
            }
        }
        return conclusions;
    }

  private:
    /// The measurement that was made about `ring` for `purpose`; none when there is none.
    std::optional<std::size_t> find(std::size_t ring, CrossPurpose purpose) const {
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if (edges_[i].about == ring && edges_[i].purpose == purpose) {
                return i;
            }
        }
        return std::nullopt;
    }

    bool good(const std::optional<std::size_t>& edge) const {
        return edge && symptoms_[*edge].good();
    }
    bool bad(const std::optional<std::size_t>& edge) const {
        return edge && symptoms_[*edge].bad();
    }

    CrossConclusion conclude(std::size_t ring) const {
        CrossConclusion conclusion;
        conclusion.edge = ring;
        conclusion.symptom = symptoms_[ring];
        const auto again = find(ring, CrossPurpose::kAgain);
        if (good(again)) {
            conclusion.kind = Kind::kPassed;
        } else if (bad(again)) {
            ask_third_parties(ring, conclusion);
            if (conclusion.kind == Kind::kOpen) {
                ask_neighbours(ring, conclusion);
            }
        }
        return conclusion;
    }

    void ask_third_parties(std::size_t ring, CrossConclusion& conclusion) const {
        const auto sender = find(ring, CrossPurpose::kSender);
        const auto receiver = find(ring, CrossPurpose::kReceiver);
        if (good(sender) && good(receiver)) {
            conclusion.kind = Kind::kPair;
            conclusion.witnesses = "its ends do well with " + port_name(edges_[*sender].to) +
                                   " and " + port_name(edges_[*receiver].from);
        } else if (good(receiver) && accuses(sender, receiver, ring)) {
            blame(edges_[ring].from, *sender, edges_[*sender].to, conclusion);
        } else if (good(sender) && accuses(receiver, sender, ring)) {
            blame(edges_[ring].to, *receiver, edges_[*receiver].from, conclusion);
        }
    }

    /// Whether the bad edge `witness` shows the fault of `ring`: what is merely slow says nothing
    /// of what is not answered, and another rail may never have been reachable, unless the good
    /// edge `other` joins the same two rails.
    bool accuses(const std::optional<std::size_t>& witness,
                 const std::optional<std::size_t>& other,
                 std::size_t ring) const {
        if (!bad(witness) || symptoms_[*witness].slow != symptoms_[ring].slow) {
            return false;
        }
        const auto rails = [this](std::size_t edge) {
            return std::minmax(edges_[edge].from.rail, edges_[edge].to.rail);
        };
        return edges_[*witness].from.rail == edges_[*witness].to.rail ||
               rails(*witness) == rails(*other);
    }

    void blame(const CrossPort& culprit,
               std::size_t witness,
               const CrossPort& third,
               CrossConclusion& conclusion) const {
        conclusion.kind = Kind::kPort;
        conclusion.culprit = culprit;
        conclusion.near = is_near(edges_[conclusion.edge]) && is_near(edges_[witness]);
        conclusion.witnesses = "bad with " + port_name(third) +
                               " too, which does well with others, as does the other end";
    }

    /// A port that fails both its neighbours needs no third party: each is the other's.
    void ask_neighbours(std::size_t ring, CrossConclusion& conclusion) const {
        const bool sender = fails_all(edges_[ring].from, symptoms_[ring].slow);
        const bool receiver = fails_all(edges_[ring].to, symptoms_[ring].slow);
        if (sender == receiver) {
            return;
        }
        conclusion.kind = Kind::kPort;
        conclusion.culprit = sender ? edges_[ring].from : edges_[ring].to;
        conclusion.near = true;
        conclusion.witnesses =
            "bad with both its neighbours on the rail, which do well with others";
        for (const std::size_t edge : ring_of_port(conclusion.culprit)) {
            conclusion.near = conclusion.near && is_near(edges_[edge]);
        }
    }

    /// Whether all edges of `port` are bad in one way: unanswered, or merely slow.
    bool fails_all(const CrossPort& port, bool slow) const {
        std::set<std::string> partners;
        for (const std::size_t edge : ring_of_port(port)) {
            const CrossPort& partner =
                edges_[edge].from == port ? edges_[edge].to : edges_[edge].from;
            if (!symptoms_[edge].bad() || symptoms_[edge].slow != slow ||
                !bad(find(edge, CrossPurpose::kAgain)) || !does_well_without(partner, port)) {
                return false;
            }
            partners.insert(partner.node);
        }
        return partners.size() >= 2;
    }

    bool does_well_without(const CrossPort& partner, const CrossPort& port) const {
        const auto ring = ring_of_port(partner);
        return ring.size() > 1 && std::all_of(ring.begin(), ring.end(), [&](std::size_t edge) {
                   return edges_[edge].from == port || edges_[edge].to == port ||
                          symptoms_[edge].good();
               });
    }

    std::vector<std::size_t> ring_of_port(const CrossPort& port) const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            if (edges_[i].purpose == CrossPurpose::kRing &&
                (edges_[i].from == port || edges_[i].to == port)) {
                found.push_back(i);
            }
        }
        return found;
    }

    const std::vector<CrossEdge>& edges_;
    std::vector<CrossSymptom> symptoms_;
};

}  // namespace

std::vector<CrossConclusion> cross_conclusions(const std::vector<CrossEdge>& edges,
                                               double max_loss) {
    return Run(edges, max_loss).conclude();
}

}  // namespace yardmaster
