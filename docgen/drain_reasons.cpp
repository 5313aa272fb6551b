// What a drain reason says, and what to do about it.
#include "docgen/parts.hpp"
#include "docgen/text.hpp"
#include "healthcheck/cause_table.hpp"
#include "healthcheck/reason.hpp"

namespace yardmaster::docgen {

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

std::string drain_causes_part() {
    std::string text = "| reason | what was seen | what to do |\n|---|---|---|\n";
    for (const CauseText& cause : cause_table()) {
        text += "| `ym " + std::string(cause.example) + "` | " + in_cell(cause.seen) +
                (cause.certain ? "" : ", *and* a second, independent sign") + " | " +
                in_cell(cause.remedy) + " |\n";
    }
    return text;
}

}  // namespace yardmaster::docgen
