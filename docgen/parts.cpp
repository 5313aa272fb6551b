#include "docgen/parts.hpp"

#include <functional>
#include <map>

namespace yardmaster::docgen {
namespace {

constexpr std::string_view kBegin = "<!-- generated: ";
constexpr std::string_view kBeginEnd = " -->\n";
constexpr std::string_view kEnd = "<!-- end -->";

const std::map<std::string_view, std::function<std::string()>>& parts() {
    static const std::map<std::string_view, std::function<std::string()>> known = {
        {"policy-keys", policy_keys_part},
        {"commands", commands_part},
        {"command-environment", command_environment_part},
        {"prolog-environment", prolog_environment_part},
        {"drain-reason", drain_reason_part},
        {"drain-causes", drain_causes_part},
        {"rdma-probe", rdma_probe_part},
        {"nccl-probe", nccl_probe_part},
        {"crossnode-probe", crossnode_probe_part},
    };
    return known;
}

Status broken_mark(std::string_view page, std::size_t at) {
    const std::string_view line = page.substr(at, page.find('\n', at) - at);
    return {ErrorCode::kMalformed,
            "\"" + std::string(line) + "\" is no mark, or lacks its \"" + std::string(kEnd) + "\""};
}

}  // namespace

Result<std::string> make_part(std::string_view name) {
    const auto part = parts().find(name);
    if (part != parts().end()) {
        return part->second();
    }
    std::string known;
    for (const auto& [other, make] : parts()) {
        known += (known.empty() ? "" : ", ") + std::string(other);
    }
    return Status(ErrorCode::kNotFound,
                  "no part is called \"" + std::string(name) + "\"; there are " + known);
}

Result<std::string> fill_page(std::string_view page) {
    std::string filled;
    for (auto mark = page.find(kBegin); mark != page.npos; mark = page.find(kBegin)) {
        const auto name = mark + kBegin.size();
        const auto name_end = page.find(kBeginEnd, name);
        const auto end = page.find(kEnd, name);
        if (name_end == page.npos || end == page.npos || end < name_end) {
            return broken_mark(page, mark);
        }
        const auto text = make_part(page.substr(name, name_end - name));
        if (!text) {
            return text;
        }
        filled += std::string(page.substr(0, name_end + kBeginEnd.size())) + "\n" + *text + "\n";
        filled += kEnd;
        page.remove_prefix(end + kEnd.size());
    }
    return filled + std::string(page);
}

}  // namespace yardmaster::docgen
