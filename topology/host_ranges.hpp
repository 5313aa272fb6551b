// Host lists as ranges of numbered names, for work that must not grow with the number of hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

/// The hosts prefix + first, ..., prefix + last, numbers written with `width` digits at least.
struct HostRange {
    std::string_view prefix;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint32_t width = 0;  ///< 0: one host whose name ends in no number, `prefix`

    std::uint64_t size() const { return last - first + 1; }
    std::string name(std::uint64_t number) const;
};

/// The ranges of a list as Slurm writes them, numbers and [] at the end of names, in its order.
/// Views into `expression`. kMalformed for any other list.
Result<std::vector<HostRange>> host_ranges(std::string_view expression);

/// What of an ordered list is in another one.
struct HostsIn {
    std::uint32_t count = 0;
    std::string first;                   ///< the first of them; "": there is none
    std::optional<std::uint32_t> place;  ///< of the host looked for among them, counted from 0
};
/// The hosts of `ordered` that are in `wanted` too, whichever way that writes them; `host` is the
/// one looked for. Each list names a host once.
HostsIn hosts_in(std::span<const HostRange> ordered,
                 std::span<const HostRange> wanted,
                 std::string_view host);

}  // namespace yardmaster
