#include "healthcheck/json_writer.hpp"

#include <cstdlib>

namespace yardmaster {

std::string dump_json(const JsonPtr& value, std::size_t flags) {
    std::unique_ptr<char, decltype(&free)> text(json_dumps(value.get(), flags), &free);
    return text ? text.get() : "";
}

}  // namespace yardmaster
