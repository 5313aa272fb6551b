// For every cell of the tree: the least cost at which a number of quanta can be had inside it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "topology/supply.hpp"
#include "topology/unit_tree.hpp"
#include "topology/work.hpp"

namespace yardmaster {

/// At this cost, up to so many quanta. Lists of options ascend in both.
struct CostOption {
    HopCost cost = 0;
    std::uint32_t quanta = 0;
    bool operator==(const CostOption&) const = default;
};

/// What cells at one height give, in place of the bins below them.
struct FloorSupply {
    std::uint32_t height = 1;             ///< cells at this height or less, below a higher one
    std::vector<std::uint32_t> capacity;  ///< [cell]
    std::vector<std::uint32_t> forced;    ///< [cell]
    std::uint32_t forced_total = 0;
};

/// Costs count every cell below that a job would touch and not fill with all of itself: the tree
/// version of the knapsack problem, solved bottom-up. Exact as long as no list grows beyond
/// kMaxOptions; longer ones are thinned, which may miss the optimum of jobs over hundreds of units.
class CostTable {
  public:
    static constexpr std::size_t kMaxOptions = 256;
    /// The same where bounds keep away what is of no use.
    static constexpr std::size_t kMaxBounded = 2048;

    /// Both must outlive it.
    CostTable(const UnitTree& tree, WorkMeter& work) : tree_(tree), work_(work) {}

    /// Works out all cells for a job of `quanta` quanta; those that cannot be part of the cheapest
    /// choice at any height are left out.
    void compute(const QuantaSupply& supply, std::uint32_t quanta);
    /// For questions about cells that compute_inside() was called for, whatever the cheapest choice
    /// is.
    void open(const QuantaSupply& supply, std::uint32_t quanta);
    /// Works out `cell` and all below it, unless that was done since open().
    void compute_inside(std::uint32_t cell);
    /// The same over cells at a height of their own, of which `supply` counts in any unit.
    void compute_over(const FloorSupply& supply, std::uint32_t quanta);
    /// Whether `cell` gives what supply says and is not looked into.
    bool is_floor(std::uint32_t cell) const;

    WorkMeter& work() const { return work_; }
    /// Quanta that must be taken inside `cell`.
    std::uint32_t forced(std::uint32_t cell) const { return forced_[cell]; }
    /// The most that `cell` can give, capped at the job's quanta.
    std::uint32_t capacity(std::uint32_t cell) const;
    /// The cost of `quanta` quanta inside `cell`; none: they are not to be had there.
    std::optional<HopCost> cost(std::uint32_t cell, std::uint32_t quanta) const;
    /// Appends the bins (over a floor: the floor's cells) of one cheapest choice of `quanta` quanta
    /// inside `cell`.
    void select(std::uint32_t cell, std::uint32_t quanta, std::vector<std::uint32_t>& bins) const;

  private:
    using Options = std::vector<CostOption>;
    /// One decision on the way to a cell's options: which of `choices` to take, or none.
    struct Step {
        Options before;
        Options choices;
        std::vector<std::uint32_t> children;  ///< one: choices are its options; else prefixes
        bool prefix = false;
        bool must = false;  ///< none is no choice
    };
    /// An unforced child with one option only.
    struct Single {
        HopCost cost = 0;
        std::uint32_t quanta = 0;
        std::uint32_t child = 0;
    };
    /// A child with several options, and those of them that are worth taking: a piece of
    /// Scratch::kept, with the child's weight in the costs.
    struct Part {
        std::uint32_t child = 0;
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        bool must = false;  ///< not taking it is not worth while either
    };
    /// What children that are still to come can do at best.
    struct Rest {
        double cost_per_quantum = 0;  ///< of any option without its child's weight
        HopCost least_weight = 0;
        std::uint32_t capacity = 0;  ///< of the largest one; 0: there are none
    };
    /// The cost of so many quanta if options could be taken in part: [i] the cheapest i steps, by
    /// cost per quantum.
    struct Relaxed {
        std::vector<std::uint32_t> quanta;
        std::vector<double> cost;
        double operator()(std::uint32_t wanted) const;
    };
    struct Scratch {
        Options before, options, merged, shifted, choices;
        std::vector<Single> singles;
        std::vector<std::uint32_t> many;
        bool exact = false;              ///< lists are not thinned, however long
        bool thinned = false;            ///< some list was
        bool bounds = true;              ///< may be worked out
        bool bounded = false;            ///< whether what follows holds
        std::uint32_t target = 0;        ///< quanta; less is not wanted
        HopCost limit = 0;               ///< what costs more is not wanted
        std::vector<Part> parts;         ///< of `many`, in its order
        Options kept;                    ///< of `parts`
        std::vector<Rest> rests;         ///< [i]: parts[i] and later ones
        Rest rest;                       ///< of what comes after the child in hand
        std::vector<Relaxed> relaxed;    ///< [i]: of parts[i * stride] and later ones
        const Relaxed* ahead = nullptr;  ///< of what comes after the child in hand, or of more
    };

    std::span<const CostOption> options(std::uint32_t cell) const {
        return std::span(pool_).subspan(first_[cell], count_[cell]);
    }
    void combine(std::uint32_t cell, Scratch& scratch, std::vector<Step>* steps) const;
    void take_forced(std::uint32_t child, Scratch& scratch, std::vector<Step>* steps) const;
    void take_singles(Scratch& scratch, std::vector<Step>* steps) const;
    void take_part(const Part& part, Scratch& scratch, std::vector<Step>* steps) const;
    void take_fixed(const Part& part, Scratch& scratch, std::vector<Step>* steps) const;
    void set_parts(Scratch& scratch) const;
    void drop_dear_choices(Scratch& scratch, std::vector<Step>* steps) const;
    std::optional<double> find_break(Scratch& scratch) const;
    std::span<const CostOption> choices(const Part& part, const Scratch& scratch) const {
        return std::span(scratch.kept).subspan(part.first, part.count);
    }
    bool worth_bounding(std::uint32_t index, Scratch& scratch) const;
    HopCost greedy_cost(const std::vector<std::uint32_t>& many) const;
    void set_rests(Scratch& scratch) const;
    std::size_t set_relaxed(Scratch& scratch) const;
    bool hopeless(const CostOption& option, const Scratch& scratch) const;
    void merge_choices(bool must, Scratch& scratch) const;
    void merge(const Options& a, const Options& b, Scratch& scratch) const;
    bool select_largest(std::uint32_t cell,
                        std::uint32_t quanta,
                        std::vector<std::uint32_t>& bins) const;
    bool select_from(std::uint32_t cell,
                     std::uint32_t quanta,
                     Scratch& scratch,
                     std::vector<std::uint32_t>& bins) const;
    void unwind(const std::vector<Step>& steps,
                CostOption target,
                std::vector<std::uint32_t>& bins) const;
    void take(const Step& step, std::size_t choice, std::vector<std::uint32_t>& bins) const;

    void reset(std::uint32_t quanta);
    void compute_cells(std::uint32_t quanta);
    void compute_floor(std::uint32_t cell);

    const UnitTree& tree_;
    WorkMeter& work_;

    const QuantaSupply* supply_ = nullptr;
    const FloorSupply* floor_ = nullptr;  // none: bins are the floor
    std::uint32_t forced_total_ = 0;
    std::uint32_t quanta_ = 0;
    bool whole_job_only_ = true;      // questions about less come only after the cheapest choice
    std::uint32_t top_ = UINT32_MAX;  // cells higher than that are left out
    std::vector<CostOption> pool_;
    std::vector<std::uint32_t> first_, count_;  // [cell]: its options in pool_
    std::vector<std::uint32_t> forced_;         // [cell]
    std::vector<std::uint8_t> done_;            // [cell] by compute_inside
    Scratch scratch_;                           // of the compute functions
};

}  // namespace yardmaster
