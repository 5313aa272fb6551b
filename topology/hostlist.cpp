#include "topology/hostlist.hpp"

#include <slurm/slurm.h>

#include <cstdlib>
#include <memory>
#include <type_traits>

#include "topology/hostlist_syntax.hpp"

namespace yardmaster {
namespace {

// 22.05 calls the pointer hostlist_t, 23.11 and later call what it points to so.
using HostlistPointer = decltype(slurm_hostlist_create(nullptr));

struct HostlistDeleter {
    void operator()(HostlistPointer list) const { slurm_hostlist_destroy(list); }
};
using Hostlist = std::unique_ptr<std::remove_pointer_t<HostlistPointer>, HostlistDeleter>;

struct Freer {
    void operator()(char* text) const { std::free(text); }
};

/// Appends the names that `item` stands for; `count` is how many they must be.
Status expand_item(std::string_view item, std::size_t count, std::vector<std::string>& names) {
    const Hostlist list(slurm_hostlist_create(std::string(item).c_str()));
    const int found = list ? slurm_hostlist_count(list.get()) : -1;
    if (found < 0 || static_cast<std::size_t>(found) != count) {
        return {ErrorCode::kMalformed,
                "host list \"" + std::string(item) + "\": Slurm does not accept it"};
    }
    while (std::unique_ptr<char, Freer> name{slurm_hostlist_shift(list.get())}) {
        names.emplace_back(name.get());
    }
    return Status::ok();
}

}  // namespace

Result<std::vector<std::string>> expand_hostlist(std::string_view expression, std::size_t limit) {
    auto items = split_hostlist(expression);
    if (!items) {
        return items.status();
    }
    std::vector<std::string> names;
    // Item by item: slurm_hostlist_shift moves all later ranges each time one is used up.
    for (std::string_view item : *items) {
        auto count = count_hosts(item, limit);
        if (!count) {
            return count.status();
        }
        if (*count > limit - names.size()) {
            return Status(ErrorCode::kMalformed,
                          "host list \"" + std::string(expression.substr(0, 60)) +
                              "\": stands for more than " + std::to_string(limit) + " names");
        }
        if (item.back() != ']') {
            names.emplace_back(item);
            continue;
        }
        if (Status status = expand_item(item, *count, names); !status) {
            return status;
        }
    }
    return names;
}

std::string compress_hostlist(const std::vector<std::string>& names) {
    const Hostlist list(slurm_hostlist_create(nullptr));
    std::size_t bytes = 64;
    for (const std::string& name : names) {
        slurm_hostlist_push_host(list.get(), name.c_str());
        bytes += 2 * name.size() + 8;
    }
    // Never longer than the names written out, with room for brackets and ranges.
    std::string text(bytes, '\0');
    const auto length = slurm_hostlist_ranged_string(list.get(), text.size(), text.data());
    text.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
    return text;
}

}  // namespace yardmaster
