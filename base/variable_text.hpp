// What is told about an environment variable: docs/ and the man pages are written from such tables,
// and tests hold them against what the code asks for.
#pragma once

#include <string_view>

namespace yardmaster {

struct VariableText {
    std::string_view name;
    std::string_view meaning;  ///< Markdown, whole sentences
};

}  // namespace yardmaster
