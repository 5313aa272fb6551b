// Settings of slurm.conf: each finding appears when it should, and does not otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/doctor_site.hpp"

namespace yardmaster::cli::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(DoctorSettings, HealthySiteHasNothingWrong) {
    const Site site;
    EXPECT_THAT(wrong(site.controller(check_settings)), IsEmpty());
    EXPECT_THAT(wrong(site.controller(check_prolog_settings)), IsEmpty());
    EXPECT_THAT(wrong(site.node(check_settings)), IsEmpty());
    EXPECT_THAT(wrong(site.node(check_prolog_settings)), IsEmpty());
}

TEST(DoctorSettings, SelectTypeMustBeConsTres) {
    Site site;
    EXPECT_EQ(worst(site.controller(check_settings), "select-type"), Severity::kOk);
    site.set("SelectType", "select/linear");
    const auto findings = site.controller(check_settings);
    EXPECT_EQ(worst(findings, "select-type"), Severity::kError);
    EXPECT_THAT(words(findings, "select-type"),
                HasSubstr("| select/linear | /etc/slurm/slurm.conf:11 | write SelectType="));
}

TEST(DoctorSettings, WithoutSelectTypeTheDaemonsDefaultCounts) {
    Site site;
    site.set("SelectType", "");
    EXPECT_EQ(worst(site.controller(check_settings), "select-type"), Severity::kOk);
    site.answer_error = {ErrorCode::kUnavailable, "no answer"};
    EXPECT_EQ(worst(site.controller(check_settings), "select-type"), Severity::kWarning);
}

TEST(DoctorSettings, HintsNeedTheJobSubmitPlugin) {
    Site site;
    site.set("JobSubmitPlugins", "lua");
    const auto findings = site.controller(check_settings);
    EXPECT_EQ(worst(findings, "job-submit"), Severity::kError);
    EXPECT_THAT(words(findings, "job-submit"), HasSubstr("JobSubmitPlugins=lua,yardmaster"));
    site.set("JobSubmitPlugins", "lua,yardmaster");
    EXPECT_EQ(worst(site.controller(check_settings), "job-submit"), Severity::kOk);
}

TEST(DoctorSettings, GpusNeedGresTypes) {
    Site site;
    site.set("GresTypes", "nic");
    EXPECT_EQ(worst(site.controller(check_settings), "gres-types"), Severity::kError);
    site.set("GresTypes", "nic,gpu");
    EXPECT_EQ(worst(site.controller(check_settings), "gres-types"), Severity::kOk);
}

TEST(DoctorSettings, LeastLoadedIsANote) {
    Site site;
    EXPECT_EQ(worst(site.controller(check_settings), "least-loaded"), std::nullopt);
    site.set("SelectTypeParameters", "CR_Core_Memory,CR_LLN");
    EXPECT_EQ(worst(site.controller(check_settings), "least-loaded"), Severity::kNote);
    site.set("SelectTypeParameters", "");
    site.add("PartitionName", "lln Nodes=ALL LLN=yes");
    EXPECT_EQ(worst(site.controller(check_settings), "least-loaded"), Severity::kNote);
}

TEST(DoctorPrologSettings, MissingFlagsAreErrors) {
    Site site;
    site.set("PrologFlags", "Alloc");
    auto findings = site.controller(check_prolog_settings);
    EXPECT_EQ(worst(findings, "prolog-flags"), Severity::kError);
    EXPECT_THAT(words(findings, "prolog-flags"),
                HasSubstr("write PrologFlags=Alloc,DeferBatch in"));
    site.set("PrologFlags", "DeferBatch");
    EXPECT_THAT(words(site.controller(check_prolog_settings), "prolog-flags"),
                HasSubstr("without Alloc"));
    site.set("PrologFlags", "");
    findings = site.controller(check_prolog_settings);
    EXPECT_EQ(wrong(findings).size(), 2U);
}

TEST(DoctorPrologSettings, OtherFlagsImplyAlloc) {
    Site site;
    for (const char* flag : {"Contain", "X11", "NoHold", "ForceRequeueOnFail"}) {
        site.set("PrologFlags", std::string("deferbatch,") + flag);
        EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-flags"), Severity::kOk)
            << flag;
    }
    site.set("PrologFlags", "DeferBatch,RunInJob");
    EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-flags"), Severity::kNote);
}

TEST(DoctorPrologSettings, HeldJobsAreAWarning) {
    Site site;
    site.set("SchedulerParameters", "bf_interval=30");
    const auto findings = site.controller(check_prolog_settings);
    EXPECT_EQ(worst(findings, "prolog-requeue"), Severity::kWarning);
    EXPECT_THAT(words(findings, "prolog-requeue"),
                HasSubstr("SchedulerParameters=bf_interval=30,nohold_on_prolog_fail"));
}

TEST(DoctorPrologSettings, SlurmMustOutwaitTheProlog) {
    Site site;
    site.set("PrologEpilogTimeout", "8");
    EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-timeout"), Severity::kOk);
    site.set("PrologEpilogTimeout", "7");
    EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-timeout"), Severity::kError);
}

TEST(DoctorPrologSettings, SrunMustNotCallItHung) {
    Site site;
    site.set("MessageTimeout", "9");
    EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-timeout"), Severity::kWarning);
    site.write("/etc/slurm/yardmaster.json", R"({"health": {"deadline_s": 6.5}})");
    EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-timeout"), Severity::kOk);
}

TEST(DoctorPrologSettings, PrepPluginsMustKeepTheScript) {
    Site site;
    EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-prep"), std::nullopt);
    site.set("PrepPlugins", "prep/mine,prep/script");
    EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-prep"), std::nullopt);
    site.set("PrepPlugins", "prep/mine");
    EXPECT_EQ(worst(site.controller(check_prolog_settings), "prolog-prep"), Severity::kError);
}

}  // namespace
}  // namespace yardmaster::cli::doctor
