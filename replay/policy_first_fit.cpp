#include "replay/policy.hpp"
#include "topology/node_order.hpp"

namespace yardmaster {
namespace {

std::vector<NodeIndex> all_nodes(const Fabric& fabric) {
    std::vector<NodeIndex> nodes;
    for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
        nodes.push_back(NodeIndex(i));
    }
    return nodes;
}

class FirstFitPolicy final : public PlacementPolicy {
  public:
    explicit FirstFitPolicy(const Fabric& fabric)
        : fabric_(fabric), by_name_(in_name_order(fabric, all_nodes(fabric))) {}

    std::string_view name() const override { return "first-fit"; }

    Result<std::vector<NodeIndex>> choose(const PlacementRequest& request) const override {
        std::vector<NodeIndex> chosen;
        for (NodeIndex node : by_name_) {
            if (chosen.size() < request.nodes && request.offers[raw(node)].usable) {
                chosen.push_back(node);
            }
        }
        return chosen.size() == request.nodes
                   ? Result<std::vector<NodeIndex>>(chosen)
                   : Status(ErrorCode::kUnavailable, "too few nodes are free");
    }

    std::vector<NodeIndex> rank(const std::vector<NodeIndex>& nodes,
                                const PlacementRequest&) const override {
        return in_name_order(fabric_, nodes);
    }

  private:
    const Fabric& fabric_;
    const std::vector<NodeIndex> by_name_;
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_first_fit_policy(const Fabric& fabric) {
    return std::make_unique<FirstFitPolicy>(fabric);
}

}  // namespace yardmaster
