#include "replay/policy.hpp"
#include "topology/node_order.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster {
namespace {

constexpr PlacementLimits kOneSet{1};

class YardmasterPolicy final : public PlacementPolicy {
  public:
    YardmasterPolicy(const Fabric& fabric, const Placer& placer)
        : fabric_(fabric), placer_(placer) {}

    std::string_view name() const override { return "yardmaster"; }

    Result<std::vector<NodeIndex>> choose(const PlacementRequest& request) const override {
        auto found = placer_.propose(request, kOneSet);
        if (!found) {
            return found.status();
        }
        return std::move(found->front().nodes);
    }

    std::vector<NodeIndex> rank(const std::vector<NodeIndex>& nodes,
                                const PlacementRequest& request) const override {
        const auto ordered = in_fabric_order(fabric_, nodes);
        const auto plan =
            plan_ranks(fabric_, ordered, request.gpus_per_node, request.hints, placer_.weights());
        // None for a job without GPUs: it has no groups to order.
        return plan ? plan->order : ordered;
    }

  private:
    const Fabric& fabric_;
    const Placer& placer_;
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_yardmaster_policy(const Fabric& fabric,
                                                        const Placer& placer) {
    return std::make_unique<YardmasterPolicy>(fabric, placer);
}

}  // namespace yardmaster
