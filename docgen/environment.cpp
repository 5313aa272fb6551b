// Environment variables and the drain reason's form.
#include "prolog/environment.hpp"

#include "cli/help.hpp"
#include "docgen/parts.hpp"
#include "docgen/text.hpp"
#include "healthcheck/reason.hpp"

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

std::string drain_reason_part() {
    DrainReason reason;
    reason.cause = "mlx5_3 100/400Gb";
    reason.job = 4711;
    reason.evidence_id = "yard07-4711-1796082258";
    reason.detail = "mlx5_3: runs at 100 Gb/sec (4X EDR), expected 400 Gb/sec";
    return "```\n" + std::string(kReasonForm) + "\n" + format_reason(reason) + "\n```\n\n" +
           "`sinfo -R` shows the first " + std::to_string(kReasonShown) +
           " characters; the whole text is at most " + std::to_string(kReasonMaxBytes) +
           " bytes, and the detail is cut to fit.\n";
}

}  // namespace yardmaster::docgen
