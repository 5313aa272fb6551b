#include "healthcheck/gpu/gpu_numbering.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "healthcheck/gpu/gpu_judge.hpp"

namespace yardmaster {
namespace {

/// [NVML index] minor; none for a GPU that does not tell it.
using Order = std::vector<std::optional<unsigned>>;

/// Slurm sorts device files as text, so /dev/nvidia10 stands before /dev/nvidia2.
constexpr std::size_t kSortedAlike = 10;

Order order_of(const std::vector<GpuReading>& gpus) {
    Order order(gpus.size());
    for (const GpuReading& gpu : gpus) {
        if (gpu.index < order.size() && gpu.handle_code == kNvmlSuccess && gpu.minor.ok()) {
            order[gpu.index] = static_cast<unsigned>(gpu.minor.value);
        }
    }
    return order;
}

/// Whether the minors ascend in NVML's order.
bool ascends(const Order& order) {
    std::optional<unsigned> last;
    for (const auto& minor : order) {
        if (minor && last && *minor <= *last) {
            return false;
        }
        last = minor ? minor : last;
    }
    return true;
}

std::vector<unsigned> first_numbers(std::size_t count) {
    std::vector<unsigned> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
}

/// Minors without gaps from 0, as the driver gives them, when none of those read speaks against it.
std::optional<std::vector<unsigned>> minors_of_all(const Order& order, std::size_t count) {
    const bool fits = std::all_of(
        order.begin(), order.end(), [&](const auto& minor) { return !minor || *minor < count; });
    return fits ? std::optional(first_numbers(count)) : std::nullopt;
}

/// Fills the one gap that can be told: the minor that no other GPU has.
void fill_only_gap(Order& order) {
    if (std::count(order.begin(), order.end(), std::nullopt) != 1) {
        return;
    }
    for (unsigned minor = 0; minor < order.size(); ++minor) {
        if (std::find(order.begin(), order.end(), std::optional(minor)) == order.end()) {
            *std::find(order.begin(), order.end(), std::nullopt) = minor;
            return;
        }
    }
}

/// Whether NVML's numbers are the minors, on a node that ought to have `count` GPUs. Where some are
/// gone NVML counts on without them: then the order must be the same.
bool numbers_are_minors(const Order& order, std::size_t count) {
    if (order.size() != count) {
        return ascends(order) && minors_of_all(order, count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (order[i] && *order[i] != i) {
            return false;
        }
    }
    return true;
}

/// [number in the scope] minor; none when it cannot be told for every GPU.
std::optional<std::vector<unsigned>> table_for(const CheckScope& scope, Order order) {
    const std::size_t count = scope.node_gpus.value_or(order.size());
    const bool by_nvml = scope.gpu_numbering == GpuNumbering::kNvml;
    if (scope.gpu_numbering == GpuNumbering::kUnknown) {
        return std::nullopt;
    }
    if (numbers_are_minors(order, count)) {
        return by_nvml || count <= kSortedAlike ? std::optional(first_numbers(count))
                                                : std::nullopt;
    }
    fill_only_gap(order);
    if (!by_nvml || order.size() != count ||
        std::find(order.begin(), order.end(), std::nullopt) != order.end()) {
        return std::nullopt;
    }
    std::vector<unsigned> table;
    for (const auto& minor : order) {
        table.push_back(*minor);
    }
    return table;
}

/// False when `table` has no row for one of `gpus`.
bool translate(const std::vector<unsigned>& table, std::vector<unsigned>& gpus) {
    for (unsigned& gpu : gpus) {
        if (gpu >= table.size()) {
            return false;
        }
        gpu = table[gpu];
    }
    std::sort(gpus.begin(), gpus.end());
    return true;
}

bool translate(const std::vector<unsigned>& table, CheckScope& scope) {
    return translate(table, scope.gpus) &&
           std::all_of(scope.rails.begin(), scope.rails.end(), [&](ExpectedRail& rail) {
               return translate(table, rail.gpus);
           });
}

Finding unknown(const char* sign, std::string detail) {
    return {"gpu", "", sign, Verdict::kUnknown, false, "", std::move(detail)};
}

const std::string kNotTold = "which of the node's GPUs are the job's is not known: ";

std::string why_not(const CheckScope& scope) {
    return scope.gpu_numbering_why.empty() ? "NVML's order is not that of the device minors"
                                           : scope.gpu_numbering_why;
}

/// All GPUs of the node are the job's: only which rail belongs to which is not known.
bool takes_all(const Order& order, CheckScope& scope) {
    const bool all = scope.node_gpus && scope.gpus.size() == *scope.node_gpus;
    const auto minors = all ? minors_of_all(order, scope.gpus.size()) : std::nullopt;
    if (minors) {
        scope.gpus = *minors;
    }
    return minors.has_value();
}

}  // namespace

NumberedScope number_by_minor(const CheckScope& scope,
                              const NvmlReading& nvml,
                              const std::vector<GpuReading>& gpus) {
    if (scope.gpu_numbering == GpuNumbering::kMinor || scope.mig || scope.gpus.empty() ||
        !nvml.loaded) {
        return {scope, {}};
    }
    NumberedScope numbered{scope, {}};
    numbered.scope.gpu_numbering = GpuNumbering::kMinor;
    const Order order = order_of(gpus);
    const bool read = all_gpus_read(nvml, gpus);
    const auto table = read ? table_for(scope, order) : std::nullopt;
    if (table && translate(*table, numbered.scope)) {
        return numbered;
    }
    numbered.scope.gpus = scope.gpus;
    for (ExpectedRail& rail : numbered.scope.rails) {
        rail.gpus.clear();
    }
    if (!takes_all(order, numbered.scope)) {
        numbered.scope.gpus.clear();
        numbered.findings.push_back(
            read ? unknown("gpu.mapping", kNotTold + why_not(scope))
                 : unknown("gpu.outstanding", "the GPUs were not read in time"));
    }
    return numbered;
}

}  // namespace yardmaster
