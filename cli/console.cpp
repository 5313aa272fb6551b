#include "cli/console.hpp"

#include <cstdlib>
#include <string_view>

namespace yardmaster::cli {

ExitCode fail(const Console& console, const Status& error) {
    console.err << "yardmaster: " << error.message() << '\n';
    return exit_code_for(error.code());
}

bool locale_is_utf8() {
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value != nullptr && *value != '\0') {
            std::string_view name(value);
            return name.find("UTF-8") != name.npos || name.find("utf8") != name.npos;
        }
    }
    return false;
}

}  // namespace yardmaster::cli
