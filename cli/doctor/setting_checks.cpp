// Settings without which the plugins do nothing.
#include "cli/doctor/checks.hpp"
#include "cli/doctor/plugin_file.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// Where SelectType is not set: select/linear until 23.02, select/cons_tres since 23.11
/// (read_config.h, DEFAULT_SELECT_TYPE). What runs knows best.
std::string select_type_in_force(const Case& examined) {
    if (const Setting* setting = examined.conf.settings.find("SelectType")) {
        return setting->value;
    }
    return examined.controller ? examined.controller->settings.value_or("SelectType", "") : "";
}

void check_select_type(const Case& examined, Findings& findings) {
    const std::string type = select_type_in_force(examined);
    const Seen seen{type.empty() ? "(not set)" : type, examined.place_of("SelectType")};
    const std::string remedy = "write SelectType=select/cons_tres in " +
                               examined.place_of("SelectType") +
                               ", then: systemctl restart slurmctld";
    if (type == "select/cons_tres") {
        findings.ok("select-type", seen, "the plugin that Yardmaster stands in front of");
    } else if (type.empty()) {
        findings.warning("select-type",
                         seen,
                         "Slurm's default is select/linear before 23.11, and with it neither GPUs "
                         "nor Yardmaster work",
                         remedy);
    } else {
        findings.error("select-type",
                       seen,
                       "Yardmaster stands in front of select/cons_tres; with another SelectType "
                       "its plugin is never loaded",
                       remedy);
    }
}

void check_job_submit(const Case& examined, Findings& findings) {
    const Seen seen{examined.value_of("JobSubmitPlugins"), examined.place_of("JobSubmitPlugins")};
    if (has_word(seen.value, "yardmaster") || has_word(seen.value, "job_submit/yardmaster")) {
        findings.ok("job-submit", seen, "hints are read at submit");
        return;
    }
    findings.error(
        "job-submit",
        {seen.value.empty() ? "(not set)" : seen.value, seen.place},
        "nobody reads the hints: Slurm refuses a job with --constraint=tp8 as an invalid "
        "feature",
        "write JobSubmitPlugins=" + (seen.value.empty() ? "" : seen.value + ",") +
            "yardmaster in " + seen.place + ", then: systemctl restart slurmctld");
}

bool fabric_has_gpus(const Case& examined) {
    return examined.fabric && examined.fabric->largest_domain_gpus() > 0;
}

void check_gres_types(const Case& examined, Findings& findings) {
    const Seen seen{examined.value_of("GresTypes"), examined.place_of("GresTypes")};
    if (!fabric_has_gpus(examined)) {
        return;
    }
    if (has_word(seen.value, "gpu")) {
        findings.ok("gres-types", seen, "Slurm counts GPUs");
        return;
    }
    findings.error("gres-types",
                   {seen.value.empty() ? "(not set)" : seen.value, seen.place},
                   "Slurm knows no GPUs, so no job has any and none is checked",
                   "write GresTypes=gpu in " + seen.place +
                       ", Gres=gpu:... on the NodeName lines, then: systemctl restart slurmctld");
}

void check_least_loaded(const Case& examined, Findings& findings) {
    const bool everywhere = has_word(examined.value_of("SelectTypeParameters"), "CR_LLN");
    bool somewhere = false;
    for (const Setting& lln : examined.conf.partitions.all("LLN")) {
        somewhere = somewhere || lower_case(lln.value) == "yes";
    }
    if (everywhere || somewhere) {
        findings.note(
            "least-loaded",
            {everywhere ? "CR_LLN" : "LLN=YES", examined.place_of("SelectTypeParameters")},
            "the least loaded nodes first is the opposite of keeping jobs together: such "
            "jobs are left to stock Slurm unless they have a hard hint",
            "take it off the partitions that have GPUs");
    }
}

}  // namespace

void check_settings(const Case& examined, Findings& findings) {
    check_select_type(examined, findings);
    check_job_submit(examined, findings);
    check_gres_types(examined, findings);
    check_least_loaded(examined, findings);
}

}  // namespace yardmaster::cli::doctor
