// Environment variables.
#include "prolog/environment.hpp"

#include "cli/help.hpp"
#include "docgen/parts.hpp"
#include "docgen/text.hpp"

namespace yardmaster::docgen {
namespace {

template <typename Table>
std::string variables_table(const Table& variables) {
    std::string text = "| variable | meaning |\n|---|---|\n";
    for (const VariableText& variable : variables) {
        text += "| `" + std::string(variable.name) + "` | " +
                in_cell(std::string(variable.meaning)) + " |\n";
    }
    return text;
}

}  // namespace

std::string command_environment_part() {
    return variables_table(cli::kCommandVariables);
}

std::string prolog_environment_part() {
    return variables_table(kPrologVariables);
}

}  // namespace yardmaster::docgen
