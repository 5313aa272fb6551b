#include "topology/rank_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <optional>

namespace yardmaster {
namespace {

/// Up to so many pieces every way to make a block is tried; it is 2 to this power.
constexpr std::size_t kMaxTried = 8;

}  // namespace

void RankOrderer::Piece::append(const Piece& other) {
    ranges.insert(ranges.end(), other.ranges.begin(), other.ranges.end());
    size += other.size;
}

/// Takes the first `nodes` away.
RankOrderer::Piece RankOrderer::Piece::cut(std::uint32_t nodes) {
    Piece front;
    front.place = place;
    while (front.size < nodes) {
        Range& first = ranges.front();
        const std::uint32_t taken = std::min(nodes - front.size, first.size());
        front.ranges.push_back({first.begin, first.begin + taken});
        front.size += taken;
        first.begin += taken;
        if (first.size() == 0) {
            ranges.erase(ranges.begin());
        }
    }
    size -= nodes;
    return front;
}

RankOrderer::RankOrderer(const UnitTree& tree, const JobModel& job)
    : tree_(tree), job_(job), sizes_{job.quantum} {
    for (std::uint32_t block : job.blocks) {
        sizes_.push_back(block * job.quantum);
    }
}

RankOrderer::Packed RankOrderer::pack_bin(const Part& part) const {
    Packed packed;
    packed.rest.resize(sizes_.size());
    Piece all{{part.nodes}, part.nodes.size(), 0};
    if (const std::uint32_t whole = all.size / sizes_.back() * sizes_.back(); whole > 0) {
        packed.done.push_back(all.cut(whole));
    }
    for (std::size_t i = sizes_.size(); i-- > 0;) {
        const std::uint32_t below = i > 0 ? sizes_[i - 1] : 1;
        if (const std::uint32_t whole = all.size / below * below; whole > 0) {
            packed.rest[i] = all.cut(whole);
        }
    }
    return packed;
}

std::uint32_t RankOrderer::child_towards(std::uint32_t cell, std::uint32_t below) const {
    while (tree_.cells()[below].parent != cell) {
        below = tree_.cells()[below].parent;
    }
    return below;
}

class RankOrderer::Stock {
  public:
    explicit Stock(std::vector<Piece>& pieces) : pieces_(pieces), left_(pieces.size()) {
        for (std::size_t i = pieces.size(); i-- > 0;) {
            by_size_[pieces[i].size].push_back(i);
        }
    }
    const Piece& operator[](std::size_t i) const { return pieces_[i]; }
    std::size_t size() const { return left_; }
    /// [size] Numbers of the pieces of a size, descending.
    const std::map<std::uint32_t, std::vector<std::size_t>>& by_size() const { return by_size_; }
    /// Numbers of all, ascending.
    std::vector<std::size_t> all() const {
        std::vector<std::size_t> numbers;
        for (const auto& [size, some] : by_size_) {
            numbers.insert(numbers.end(), some.begin(), some.end());
        }
        std::sort(numbers.begin(), numbers.end());
        return numbers;
    }
    /// The first of the largest pieces of at most `size`; none: all are larger.
    std::optional<std::size_t> fitting(std::uint32_t size) const {
        const auto above = by_size_.upper_bound(size);
        return above == by_size_.begin() ? std::nullopt
                                         : std::optional(std::prev(above)->second.back());
    }
    /// The first of the smallest pieces of more than `size`, of which there are.
    std::size_t exceeding(std::uint32_t size) const {
        return by_size_.upper_bound(size)->second.back();
    }
    Piece take(std::size_t i) {
        forget(i);
        left_ -= 1;
        return std::move(pieces_[i]);
    }
    Piece cut(std::size_t i, std::uint32_t nodes) {
        forget(i);
        Piece front = pieces_[i].cut(nodes);
        std::vector<std::size_t>& alike = by_size_[pieces_[i].size];
        alike.insert(std::lower_bound(alike.begin(), alike.end(), i, std::greater<>()), i);
        return front;
    }
    /// The pieces not taken, in order.
    std::vector<Piece> rest() {
        std::vector<Piece> rest;
        for (std::size_t i : all()) {
            rest.push_back(std::move(pieces_[i]));
        }
        return rest;
    }

  private:
    void forget(std::size_t i) {
        const auto alike = by_size_.find(pieces_[i].size);
        std::vector<std::size_t>& numbers = alike->second;
        numbers.erase(std::lower_bound(numbers.begin(), numbers.end(), i, std::greater<>()));
        if (numbers.empty()) {
            by_size_.erase(alike);
        }
    }

    std::vector<Piece>& pieces_;
    std::size_t left_;
    std::map<std::uint32_t, std::vector<std::size_t>> by_size_;
};

/// Two pieces that make exactly a block, the larger one as large as can be; empty: none do.
std::vector<std::size_t> RankOrderer::pair(const Stock& stock, std::uint32_t target) {
    const auto& by_size = stock.by_size();
    for (auto large = by_size.upper_bound(target); large != by_size.begin();) {
        --large;
        const auto& [size, some] = *large;
        if (std::uint64_t{2} * size < target) {
            break;
        }
        const auto small = by_size.find(target - size);
        if (small == by_size.end() || (small == large && some.size() < 2)) {
            continue;
        }
        const std::size_t a = some.back();
        const std::size_t b = small == large ? some[some.size() - 2] : small->second.back();
        return {std::min(a, b), std::max(a, b)};
    }
    return {};
}

/// The smallest number of pieces that make exactly a block; empty: none do. Where there are many,
/// two at most.
std::vector<std::size_t> RankOrderer::exact(const Stock& stock, std::uint32_t target) {
    if (stock.size() > kMaxTried) {
        return pair(stock, target);
    }
    const std::vector<std::size_t> numbers = stock.all();
    unsigned chosen = 0;
    std::array<std::uint32_t, 1u << kMaxTried> sums{};
    for (unsigned bits = 1; bits < 1u << numbers.size(); ++bits) {
        const auto last = static_cast<std::size_t>(std::countr_zero(bits));
        sums[bits] = sums[bits & (bits - 1)] + stock[numbers[last]].size;
        if (sums[bits] == target && (chosen == 0 || std::popcount(bits) < std::popcount(chosen))) {
            chosen = bits;
        }
    }
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if ((chosen >> i & 1) != 0) {
            best.push_back(numbers[i]);
        }
    }
    return best;
}

/// A block of the largest pieces that fit, and a part of the smallest of those that do not.
RankOrderer::Piece RankOrderer::fill(Stock& stock, std::uint32_t target) {
    std::vector<Piece> taken;
    std::uint32_t missing = target;
    while (missing > 0) {
        if (const auto fits = stock.fitting(missing)) {
            taken.push_back(stock.take(*fits));
        } else {
            taken.push_back(stock.cut(stock.exceeding(missing), missing));
        }
        missing -= taken.back().size;
    }
    std::stable_sort(taken.begin(), taken.end(), [](const Piece& a, const Piece& b) {
        return a.place < b.place;
    });
    Piece block;
    block.place = taken.back().place;
    for (const Piece& piece : taken) {
        block.append(piece);
    }
    return block;
}

/// Makes blocks of `target` nodes out of `pieces`, in which what is left stays.
std::vector<RankOrderer::Piece> RankOrderer::combine(std::vector<Piece>& pieces,
                                                     std::uint32_t target) {
    std::vector<Piece> blocks;
    std::uint64_t total = 0;
    for (const Piece& piece : pieces) {
        total += piece.size;
    }
    Stock stock(pieces);
    for (; total >= target; total -= target) {
        const std::vector<std::size_t> chosen = exact(stock, target);
        if (chosen.empty()) {
            blocks.push_back(fill(stock, target));
            continue;
        }
        Piece block;
        block.place = stock[chosen.back()].place;
        for (std::size_t i : chosen) {
            block.append(stock.take(i));
        }
        blocks.push_back(std::move(block));
    }
    std::vector<Piece> rest = stock.rest();
    pieces = std::move(rest);
    return blocks;
}

/// Joins what children have over, smaller blocks first.
void RankOrderer::join(std::vector<Packed>& children, Packed& packed) const {
    packed.rest.resize(sizes_.size());
    std::vector<Piece> made;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
        std::vector<Piece> pieces = std::move(made);
        for (Packed& child : children) {
            if (child.rest[i].size > 0) {
                pieces.push_back(std::move(child.rest[i]));
            }
        }
        std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
            return a.place < b.place;
        });
        made = combine(pieces, sizes_[i]);
        for (const Piece& piece : pieces) {
            packed.rest[i].append(piece);
        }
    }
    // A mixed block goes between the whole ones of the children that it is made of.
    for (Piece& block : made) {
        packed.done.push_back(std::move(block));
    }
    for (Packed& child : children) {
        for (Piece& block : child.done) {
            packed.done.push_back(std::move(block));
        }
    }
    std::stable_sort(packed.done.begin(), packed.done.end(), [](const Piece& a, const Piece& b) {
        return a.place < b.place;
    });
}

RankOrderer::Packed RankOrderer::pack(std::uint32_t cell, std::span<const Part> parts) const {
    if (tree_.cells()[cell].kind == CellKind::kBin) {
        return pack_bin(parts.front());
    }
    std::vector<Packed> children;
    for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
        const std::uint32_t child = child_towards(cell, parts[begin].cell);
        while (end < parts.size() && child_towards(cell, parts[end].cell) == child) {
            ++end;
        }
        children.push_back(pack(child, parts.subspan(begin, end - begin)));
        const auto place = static_cast<std::uint32_t>(children.size());
        for (Piece& block : children.back().done) {
            block.place = place;
        }
        for (Piece& piece : children.back().rest) {
            piece.place = place;
        }
    }
    if (children.size() == 1) {
        return std::move(children.front());
    }
    Packed packed;
    join(children, packed);
    return packed;
}

std::vector<NodeIndex> RankOrderer::order(std::span<const NodeIndex> nodes) const {
    std::vector<Part> parts;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t cell = tree_.bins()[tree_.bin_of(nodes[i])].cell;
        if (parts.empty() || parts.back().cell != cell) {
            parts.push_back({cell, {i, i}});
        }
        parts.back().nodes.end = i + 1;
    }
    const bool whole = std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
        return part.nodes.size() % sizes_.back() == 0;
    });
    if (whole) {
        return {nodes.begin(), nodes.end()};
    }
    const Packed packed = pack(0, parts);
    std::vector<NodeIndex> order;
    const auto add = [&](const Piece& piece) {
        for (const Range& range : piece.ranges) {
            order.insert(order.end(), nodes.begin() + range.begin, nodes.begin() + range.end);
        }
    };
    std::for_each(packed.done.begin(), packed.done.end(), add);
    std::for_each(packed.rest.rbegin(), packed.rest.rend(), add);
    return order;
}

std::vector<NodeIndex> RankOrderer::by_replica(std::span<const NodeIndex> order) const {
    std::vector<NodeIndex> result(order.begin(), order.end());
    if (job_.stage >= job_.quanta || job_.quanta % job_.stage != 0) {
        return result;
    }
    const std::uint32_t stages = job_.quanta / job_.stage;
    for (std::uint32_t i = 0; i < job_.quanta; ++i) {
        const std::size_t to = std::size_t{i % stages * job_.stage + i / stages} * job_.quantum;
        std::copy_n(order.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * job_.quantum),
                    job_.quantum,
                    result.begin() + static_cast<std::ptrdiff_t>(to));
    }
    return result;
}

}  // namespace yardmaster
