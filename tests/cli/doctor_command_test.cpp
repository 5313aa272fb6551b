// The command as a whole: roles, exit codes, and what it prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/doctor/doctor.hpp"
#include "tests/cli/doctor_site.hpp"

namespace yardmaster::cli::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CommandRun run(const Site& site, const DoctorOptions& options = {}) {
    site.write_conf();
    std::ostringstream out;
    std::ostringstream err;
    const int code = run_doctor(options, site.host, nullptr, {out, err});
    return {code, out.str(), err.str()};
}

DoctorOptions as(const std::string& role, const std::string& node = "", bool json = false) {
    return {role, node, json};
}

TEST(Doctor, HealthyControllerHasNothingWrong) {
    Site site;
    site.processes = {"slurmctld"};
    const CommandRun healthy = run(site);
    EXPECT_EQ(healthy.code, 0) << healthy.out << healthy.err;
    EXPECT_THAT(healthy.out, HasSubstr("\n0 errors, 0 warnings, 1 not checked, "));
}

TEST(Doctor, HealthyNodeHasNothingWrong) {
    Site site;
    site.host.name = "yard03";
    site.processes = {"slurmd"};
    const CommandRun healthy = run(site);
    EXPECT_EQ(healthy.code, 0) << healthy.out << healthy.err;
    EXPECT_THAT(healthy.out, HasSubstr("yard03 as node yard03\n"));
    EXPECT_THAT(healthy.out, HasSubstr("\n0 errors, 0 warnings, 0 not checked, "));
}

TEST(Doctor, WorstComesFirstWithPlaceAndRemedy) {
    Site site;
    site.set("SchedulerParameters", "");
    site.set("SelectType", "select/linear");
    const CommandRun sick = run(site, as("controller"));
    EXPECT_EQ(sick.code, 1);
    const auto error = sick.out.find("\nerror: select-type: ");
    const auto warning = sick.out.find("\nwarning: prolog-requeue: ");
    ASSERT_NE(error, std::string::npos) << sick.out;
    ASSERT_NE(warning, std::string::npos) << sick.out;
    EXPECT_LT(error, warning);
    EXPECT_THAT(sick.out,
                HasSubstr("\n  seen    select/linear\n  place   /etc/slurm/slurm.conf:10\n"
                          "  remedy  write SelectType=select/cons_tres in "));
}

TEST(Doctor, WarningsAloneAreFindingsToo) {
    Site site;
    site.set("SchedulerParameters", "");
    const CommandRun sick = run(site, as("controller"));
    EXPECT_EQ(sick.code, 1);
    EXPECT_THAT(sick.out, HasSubstr("\n0 errors, "));
}

TEST(Doctor, RoleIsFoundOutOrGiven) {
    Site site;
    site.processes = {"slurmd"};
    EXPECT_THAT(run(site).out, HasSubstr("ctl1 as controller and node\n"));
    EXPECT_THAT(run(site, as("controller")).out, HasSubstr("ctl1 as controller\n"));
    site.host.name = "elsewhere";
    site.processes = {"slurmctld"};
    EXPECT_THAT(run(site).out, HasSubstr("elsewhere as controller\n"));
    site.processes.clear();
    const CommandRun lost = run(site);
    EXPECT_EQ(lost.code, 2);
    EXPECT_THAT(lost.err, HasSubstr("yardmaster doctor controller"));
}

TEST(Doctor, HostNamesOfTheConfAreShortened) {
    Site site;
    site.processes.clear();
    site.set("SlurmctldHost", "ctl1.example.com(10.0.0.1)");
    EXPECT_THAT(run(site).out, HasSubstr("ctl1 as controller\n"));
    site.host.name = "h7";
    site.add("NodeName", "other NodeHostname=h7.example.com");
    EXPECT_THAT(run(site).out, HasSubstr("h7 as node other\n"));
}

TEST(Doctor, NodeMustBeInSlurmConf) {
    const Site site;
    EXPECT_THAT(run(site, as("node", "yard07")).out, HasSubstr("ctl1 as node yard07\n"));
    const CommandRun wrong_name = run(site, as("node", "zoo1"));
    EXPECT_EQ(wrong_name.code, 2);
    EXPECT_THAT(wrong_name.err, HasSubstr("no NodeName=zoo1"));
}

TEST(Doctor, WithoutSlurmConfItIsUnknown) {
    Site site;
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(run_doctor({}, site.host, nullptr, {out, err}), 3);
    EXPECT_THAT(err.str(), HasSubstr("no slurm.conf"));
    EXPECT_EQ(run_doctor({}, site.host, "/gone/slurm.conf", {out, err}), 3);
    EXPECT_THAT(err.str(), HasSubstr("/gone/slurm.conf: no such file"));
}

TEST(Doctor, SilentControllerIsSaidInTheHead) {
    Site site;
    EXPECT_THAT(run(site).out, HasSubstr("beside what slurmctld has in force\n"));
    site.answer_error = {ErrorCode::kUnavailable, "no answer"};
    const CommandRun silent = run(site);
    EXPECT_EQ(silent.code, 1);
    EXPECT_THAT(silent.out, HasSubstr("/etc/slurm/slurm.conf alone: slurmctld does not answer\n"));
}

TEST(Doctor, JsonHasEveryFinding) {
    Site site;
    site.set("SelectType", "select/linear");
    const CommandRun sick = run(site, as("controller", "", true));
    EXPECT_EQ(sick.code, 1);
    const auto document = JsonDocument::parse(sick.out);
    ASSERT_TRUE(document) << sick.out;
    EXPECT_EQ(*document->root().at("errors")->integer(0, 99), 1);
    const auto nodes = document->root().at("findings")->elements();
    ASSERT_TRUE(nodes);
    bool found = false;
    for (const JsonNode& node : *nodes) {
        Finding finding;
        ASSERT_TRUE(from_json(node, finding));
        found = found || (finding.check == "select-type" && finding.severity == Severity::kError &&
                          finding.seen.value == "select/linear" && !finding.remedy.empty());
    }
    EXPECT_TRUE(found);
}

TEST(Doctor, EveryFindingThatIsNotWellHasARemedy) {
    Site site;
    for (const char* key : {"PluginDir", "SelectType", "JobSubmitPlugins", "Prolog", "GresTypes"}) {
        site.set(key, "");
    }
    site.remove("/etc/slurm/fabric.json");
    site.answer_error = {ErrorCode::kUnavailable, "no answer"};
    const Case examined = site.examined({true, true});
    for (const Finding& finding : run_checks_of(examined)) {
        EXPECT_TRUE(finding.severity <= Severity::kNote || !finding.remedy.empty())
            << finding.check << ": " << finding.text;
    }
}

TEST(Doctor, GroupThatDiesIsNotChecked) {
    Site site;
    site.host.check_node = [](const CheckOptions&) -> Result<Report> { _exit(1); };
    const CommandRun died = run(site, as("node", "yard01"));
    EXPECT_THAT(died.out, HasSubstr("\nnot checked: hardware: "));
    EXPECT_THAT(died.out, Not(HasSubstr("dry-run")));
}

TEST(DoctorFinding, SeverityThatNobodyWritesIsAnError) {
    Finding finding;
    const auto document = JsonDocument::parse(R"({"severity": "bad"})");
    EXPECT_EQ(from_json(document->root(), finding).code(), ErrorCode::kMalformed);
}

}  // namespace
}  // namespace yardmaster::cli::doctor
