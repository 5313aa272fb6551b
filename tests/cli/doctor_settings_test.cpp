// Settings of slurm.conf: each finding appears when it should, and does not otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/doctor_site.hpp"

namespace yardmaster::cli::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A site whose settings a test changes, and what one group of checks says of them.
template <void (*kCheck)(const Case&, Findings&)>
class SettingsTest : public ::testing::Test {
  protected:
    std::optional<Severity> severity(const std::string& check) const {
        return worst(site_.controller(kCheck), check);
    }
    std::string said(const std::string& check) const {
        return words(site_.controller(kCheck), check);
    }

    Site site_;
};
using DoctorSettings = SettingsTest<check_settings>;
using DoctorPrologSettings = SettingsTest<check_prolog_settings>;

TEST_F(DoctorSettings, HealthySiteHasNothingWrong) {
    EXPECT_THAT(wrong(site_.controller(check_settings)), IsEmpty());
    EXPECT_THAT(wrong(site_.controller(check_prolog_settings)), IsEmpty());
    EXPECT_THAT(wrong(site_.node(check_settings)), IsEmpty());
    EXPECT_THAT(wrong(site_.node(check_prolog_settings)), IsEmpty());
}

TEST_F(DoctorSettings, SelectTypeMustBeConsTres) {
    EXPECT_EQ(severity("select-type"), Severity::kOk);
    site_.set("SelectType", "select/linear");
    EXPECT_EQ(severity("select-type"), Severity::kError);
    EXPECT_THAT(said("select-type"),
                HasSubstr("| select/linear | /etc/slurm/slurm.conf:11 | write SelectType="));
}

TEST_F(DoctorSettings, WithoutSelectTypeTheDaemonsDefaultCounts) {
    site_.set("SelectType", "");
    EXPECT_EQ(severity("select-type"), Severity::kOk);
    site_.answer_error = {ErrorCode::kUnavailable, "no answer"};
    EXPECT_EQ(severity("select-type"), Severity::kWarning);
}

TEST_F(DoctorSettings, HintsNeedTheJobSubmitPlugin) {
    site_.set("JobSubmitPlugins", "lua");
    EXPECT_EQ(severity("job-submit"), Severity::kError);
    EXPECT_THAT(said("job-submit"), HasSubstr("JobSubmitPlugins=lua,yardmaster"));
    site_.set("JobSubmitPlugins", "lua,yardmaster");
    EXPECT_EQ(severity("job-submit"), Severity::kOk);
}

TEST_F(DoctorSettings, GpusNeedGresTypes) {
    site_.set("GresTypes", "nic");
    EXPECT_EQ(severity("gres-types"), Severity::kError);
    site_.set("GresTypes", "nic,gpu");
    EXPECT_EQ(severity("gres-types"), Severity::kOk);
}

TEST_F(DoctorSettings, LeastLoadedIsANote) {
    EXPECT_EQ(severity("least-loaded"), std::nullopt);
    site_.set("SelectTypeParameters", "CR_Core_Memory,CR_LLN");
    EXPECT_EQ(severity("least-loaded"), Severity::kNote);
    site_.set("SelectTypeParameters", "");
    site_.add("PartitionName", "lln Nodes=ALL LLN=yes");
    EXPECT_EQ(severity("least-loaded"), Severity::kNote);
}

TEST_F(DoctorPrologSettings, MissingFlagsAreErrors) {
    site_.set("PrologFlags", "Alloc");
    EXPECT_EQ(severity("prolog-flags"), Severity::kError);
    EXPECT_THAT(said("prolog-flags"), HasSubstr("write PrologFlags=Alloc,DeferBatch in"));
    site_.set("PrologFlags", "DeferBatch");
    EXPECT_THAT(said("prolog-flags"), HasSubstr("without Alloc"));
    site_.set("PrologFlags", "");
    EXPECT_EQ(wrong(site_.controller(check_prolog_settings)).size(), 2U);
}

TEST_F(DoctorPrologSettings, OtherFlagsImplyAlloc) {
    for (const char* flag : {"Contain", "X11", "NoHold", "ForceRequeueOnFail"}) {
        site_.set("PrologFlags", std::string("deferbatch,") + flag);
        EXPECT_EQ(severity("prolog-flags"), Severity::kOk) << flag;
    }
    site_.set("PrologFlags", "DeferBatch,RunInJob");
    EXPECT_EQ(severity("prolog-flags"), Severity::kNote);
}

TEST_F(DoctorPrologSettings, HeldJobsAreAWarning) {
    site_.set("SchedulerParameters", "bf_interval=30");
    EXPECT_EQ(severity("prolog-requeue"), Severity::kWarning);
    EXPECT_THAT(said("prolog-requeue"),
                HasSubstr("SchedulerParameters=bf_interval=30,nohold_on_prolog_fail"));
}

TEST_F(DoctorPrologSettings, SlurmMustOutwaitTheProlog) {
    site_.set("PrologEpilogTimeout", "8");
    EXPECT_EQ(severity("prolog-timeout"), Severity::kOk);
    site_.set("PrologEpilogTimeout", "7");
    EXPECT_EQ(severity("prolog-timeout"), Severity::kError);
}

TEST_F(DoctorPrologSettings, SrunMustNotCallItHung) {
    site_.set("MessageTimeout", "9");
    EXPECT_EQ(severity("prolog-timeout"), Severity::kWarning);
    site_.write("/etc/slurm/yardmaster.json", R"({"health": {"deadline_s": 6.5}})");
    EXPECT_EQ(severity("prolog-timeout"), Severity::kOk);
}

TEST_F(DoctorPrologSettings, PrepPluginsMustKeepTheScript) {
    EXPECT_EQ(severity("prolog-prep"), std::nullopt);
    site_.set("PrepPlugins", "prep/mine,prep/script");
    EXPECT_EQ(severity("prolog-prep"), std::nullopt);
    site_.set("PrepPlugins", "prep/mine");
    EXPECT_EQ(severity("prolog-prep"), Severity::kError);
}

}  // namespace
}  // namespace yardmaster::cli::doctor
