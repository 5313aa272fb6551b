// Doctor's report for people and for scripts: the worst first, for somebody who has just been
// woken.
#include <algorithm>
#include <array>
#include <iomanip>

#include "cli/doctor/doctor.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli::doctor {
namespace {

constexpr int kCheckWidth = 16;  // the longest check's name and two blanks
constexpr std::array kWorstFirst{
    Severity::kError, Severity::kWarning, Severity::kNotChecked, Severity::kNote, Severity::kOk};

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
            return finding.severity == severity;
        }));
}

std::string role_text(const Roles& roles) {
    return roles.controller && roles.node ? "controller and node"
           : roles.controller             ? "controller"
                                          : "node";
}

std::string source_text(const Case& examined) {
    return examined.conf.file + (examined.controller ? ", beside what slurmctld has in force"
                                                     : " alone: slurmctld does not answer");
}

void print_head(const Case& examined, std::ostream& out) {
    out << examined.host.name << " as " << role_text(examined.roles);
    if (!examined.node.empty()) {
        out << " " << examined.node;
    }
    out << "\nsettings from " << source_text(examined) << "\n";
}

void print_detail(const char* word, const std::string& text, std::ostream& out) {
    if (!text.empty()) {
        out << "  " << std::left << std::setw(8) << word << text << '\n';
    }
}

/// A block for what needs reading; a line for what is well.
void print_finding(const Finding& finding, std::ostream& out) {
    if (finding.severity == Severity::kOk) {
        out << "  " << std::left << std::setw(kCheckWidth) << finding.check << finding.seen.value
            << (finding.seen.value.empty() ? "" : ": ") << finding.text << '\n';
        return;
    }
    out << '\n'
        << to_string(finding.severity) << ": " << finding.check << ": " << finding.text << '\n';
    print_detail("seen", finding.seen.value, out);
    print_detail("place", finding.seen.place, out);
    print_detail("remedy", finding.remedy, out);
}

}  // namespace

void print_text(const Case& examined, const std::vector<Finding>& findings, std::ostream& out) {
    print_head(examined, out);
    for (const Severity severity : kWorstFirst) {
        if (severity == Severity::kOk && count(findings, severity) > 0) {
            out << "\nok:\n";
        }
        for (const Finding& finding : findings) {
            if (finding.severity == severity) {
                print_finding(finding, out);
            }
        }
    }
    out << '\n'
        << count_of(count(findings, Severity::kError), "error") << ", "
        << count_of(count(findings, Severity::kWarning), "warning") << ", "
        << count(findings, Severity::kNotChecked) << " not checked, "
        << count_of(count(findings, Severity::kNote), "note") << ", "
        << count(findings, Severity::kOk) << " ok\n";
}

void print_json(const Case& examined, const std::vector<Finding>& findings, std::ostream& out) {
    const auto convert = [](const Finding& finding) { return to_json(finding); };
    JsonValue json = JsonValue::object();
    json.set("host", examined.host.name)
        .set("controller", examined.roles.controller)
        .set("node", examined.roles.node ? JsonValue(examined.node) : JsonValue(nullptr))
        .set("slurm_conf", examined.conf.file)
        .set("slurmctld_answers", examined.controller.is_ok())
        .set("errors", count(findings, Severity::kError))
        .set("warnings", count(findings, Severity::kWarning))
        .set("not_checked", count(findings, Severity::kNotChecked))
        .set("findings", json_array_of(findings, convert));
    out << json.dump() << '\n';
}

}  // namespace yardmaster::cli::doctor
