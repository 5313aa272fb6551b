// Puts the nodes of a set into rank order: along the tree, with blocks kept whole.
#pragma once

#include <span>
#include <vector>

#include "topology/job_model.hpp"
#include "topology/unit_tree.hpp"

namespace yardmaster {

/// Orders sets of nodes for one job. Blocks (quanta, then the job's blocks, smaller ones first) are
/// made of neighbours in the tree, as low in it as they fit: what a unit has over joins, in the
/// unit above, what its neighbours have over, in as few pieces as are found.
class RankOrderer {
  public:
    /// `tree` is the one that quanta are counted in. Both must outlive it.
    RankOrderer(const UnitTree& tree, const JobModel& job);

    /// `nodes`: those of one bin are neighbours; bins by Cell::preorder. As many as the job has.
    std::vector<NodeIndex> order(std::span<const NodeIndex> nodes) const;
    /// The same set with every stage's like quanta as near as can be: good where the pipeline
    /// weighs more than gradients. `order` is what order() gave.
    std::vector<NodeIndex> by_replica(std::span<const NodeIndex> order) const;
    /// Whether there are blocks to keep whole.
    bool has_blocks() const { return sizes_.size() > 1; }

  private:
    /// Places in the given sequence: [begin, end).
    struct Range {
        std::uint32_t begin = 0, end = 0;
        std::uint32_t size() const { return end - begin; }
    };
    struct Piece {
        std::vector<Range> ranges;
        std::uint32_t size = 0;
        std::uint32_t place = 0;  ///< among its siblings
        void append(const Piece& other);
        Piece cut(std::uint32_t nodes);
    };
    /// Pieces that blocks are made of, found by their size.
    class Stock;
    struct Packed {
        std::vector<Piece> done;  ///< whole blocks of the largest size, in order
        std::vector<Piece> rest;  ///< [size]: less than a block of it
    };
    /// The part of the set in one bin.
    struct Part {
        std::uint32_t cell = 0;
        Range nodes;
    };

    Packed pack(std::uint32_t cell, std::span<const Part> parts) const;
    Packed pack_bin(const Part& part) const;
    void join(std::vector<Packed>& children, Packed& packed) const;
    static std::vector<Piece> combine(std::vector<Piece>& pieces, std::uint32_t target);
    static std::vector<std::size_t> exact(const Stock& stock, std::uint32_t target);
    static std::vector<std::size_t> pair(const Stock& stock, std::uint32_t target);
    static Piece fill(Stock& stock, std::uint32_t target);
    std::uint32_t child_towards(std::uint32_t cell, std::uint32_t below) const;

    const UnitTree& tree_;
    const JobModel& job_;
    std::vector<std::uint32_t> sizes_;  // in nodes, ascending, each a divisor of the next
};

}  // namespace yardmaster
