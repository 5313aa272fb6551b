#include "topology/parallel.hpp"

#include <numeric>

namespace yardmaster {
namespace {

/// What lies between neighbours of a group; the group's ranks are stride x size apart from those of
/// the next group with the same lower indices.
std::uint32_t group_stride(const Parallelism& sizes, GroupKind kind) {
    switch (kind) {
        case GroupKind::kTp:
            return 1;
        case GroupKind::kCp:
        case GroupKind::kEp:
        case GroupKind::kGradient:
            return sizes.tp;
        case GroupKind::kDp:
            return sizes.tp * sizes.cp;
        case GroupKind::kPp:
            break;
    }
    return sizes.tp * sizes.cp * sizes.dp;
}

/// tp, pp and dp where dp is given and `rest` GPUs a replica are not spoken for.
void share_rest(const Hints& hints,
                std::uint32_t gpus_per_node,
                std::uint32_t rest,
                Parallelism& p) {
    if (!hints.tp) {
        p.tp = hints.pp ? rest : std::gcd(rest, gpus_per_node);
        rest /= p.tp;
    }
    if (!hints.pp) {
        p.pp = rest;
    }
}

}  // namespace

std::string_view group_word(GroupKind kind) {
    constexpr std::string_view kWords[] = {"tp", "cp", "ep", "dp", "pp", "grad"};
    return kWords[static_cast<std::size_t>(kind)];
}

Result<Parallelism> derive_parallelism(const Hints& hints, const JobShape& shape) {
    if (shape.gpus() == 0 || shape.gpus() > UINT32_MAX) {
        return Status(ErrorCode::kInvalidArgument,
                      "parallel groups: a job of " + std::to_string(shape.gpus()) +
                          " GPUs has none; ask for nodes and for GPUs per node");
    }
    if (Status status = check_sizes(hints, shape); !status) {
        return status;
    }
    const auto gpus = static_cast<std::uint32_t>(shape.gpus());
    Parallelism sizes;
    sizes.tp = hints.tp.value_or(1);
    sizes.cp = hints.cp.value_or(1);
    sizes.ep = hints.ep.value_or(1);
    sizes.pp = hints.pp.value_or(1);
    const std::uint32_t given = sizes.tp * sizes.cp * sizes.pp;
    if (hints.dp) {
        sizes.dp = *hints.dp;
        share_rest(hints, shape.gpus_per_node, gpus / (given * sizes.dp), sizes);
    } else {
        sizes.dp = gpus / given;
    }
    return sizes;
}

std::uint32_t group_size(const Parallelism& sizes, GroupKind kind) {
    switch (kind) {
        case GroupKind::kTp:
            return sizes.tp;
        case GroupKind::kCp:
            return sizes.cp;
        case GroupKind::kEp:
            return sizes.ep;
        case GroupKind::kDp:
            return sizes.dp;
        case GroupKind::kPp:
            return sizes.pp;
        case GroupKind::kGradient:
            break;
    }
    return sizes.cp * sizes.dp;
}

std::uint32_t group_count(const Parallelism& sizes, GroupKind kind) {
    return static_cast<std::uint32_t>(sizes.ranks() / group_size(sizes, kind));
}

RankGroup group_of(const Parallelism& sizes, GroupKind kind, std::uint32_t index) {
    RankGroup group;
    group.stride = group_stride(sizes, kind);
    group.size = group_size(sizes, kind);
    group.first = index / group.stride * group.stride * group.size + index % group.stride;
    return group;
}

GroupPlace place_of(const Parallelism& sizes, GroupKind kind, Rank rank) {
    const auto number = static_cast<std::uint32_t>(rank);
    const std::uint32_t stride = group_stride(sizes, kind);
    const std::uint32_t size = group_size(sizes, kind);
    GroupPlace place;
    place.position = number / stride % size;
    place.group = number / (stride * size) * stride + number % stride;
    return place;
}

}  // namespace yardmaster
