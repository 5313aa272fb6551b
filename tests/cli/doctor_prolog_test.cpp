// Prolog=: whether it reaches yardmaster-prolog, and whether slurmd could run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/doctor_site.hpp"

namespace yardmaster::cli::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kOurs = "/usr/libexec/yardmaster/yardmaster-prolog";

/// A site whose prolog is a script of its own.
class DoctorWrapper : public ::testing::Test {
  protected:
    void write_script(const std::string& text, mode_t mode = 0755) {
        site_.set("Prolog", "/etc/slurm/prolog.sh");
        site_.write("/etc/slurm/prolog.sh", text, mode);
    }
    Site site_;
};

TEST(DoctorProlog, OurOwnProgramIsRight) {
    const Site site;
    EXPECT_THAT(wrong(site.node(check_prolog_files)), IsEmpty());
    EXPECT_EQ(worst(site.node(check_prolog_files), "prolog-file"), Severity::kOk);
    EXPECT_EQ(worst(site.controller(check_prolog_files), "prolog"), Severity::kOk);
}

TEST(DoctorProlog, WithoutPrologNothingIsChecked) {
    Site site;
    site.set("Prolog", "");
    EXPECT_EQ(worst(site.controller(check_prolog_files), "prolog"), Severity::kError);
    EXPECT_THAT(site.controller(check_prolog_settings), IsEmpty());
}

TEST(DoctorProlog, AbsentFileIsAnErrorOnANodeOnly) {
    Site site;
    site.remove(kOurs);
    EXPECT_EQ(worst(site.node(check_prolog_files), "prolog-file"), Severity::kError);
    EXPECT_THAT(wrong(site.controller(check_prolog_files)), IsEmpty());
}

TEST(DoctorProlog, PermissionsAreLookedAt) {
    Site site;
    site.write(kOurs, "x", 0644);
    EXPECT_THAT(words(site.node(check_prolog_files), "prolog-file"),
                HasSubstr(std::string("chmod 0755 ") + kOurs));
    site.write(kOurs, "x", 0775);
    EXPECT_THAT(words(site.node(check_prolog_files), "prolog-file"), HasSubstr("chmod go-w"));
    site.write(kOurs, "x", 0755);
    site.host.trusted_owner = getuid() + 1;
    EXPECT_THAT(words(site.node(check_prolog_files), "prolog-file"), HasSubstr("chown root:root"));
}

TEST_F(DoctorWrapper, ScriptThatCallsUsIsRight) {
    write_script(std::string("#!/bin/sh\n") + kOurs + " || exit $?\nexec /etc/slurm/site.sh\n");
    EXPECT_THAT(wrong(site_.node(check_prolog_files)), IsEmpty());
    EXPECT_THAT(words(site_.node(check_prolog_files), "prolog"),
                HasSubstr(std::string("calls ") + kOurs + ";"));
}

TEST_F(DoctorWrapper, CallInQuotesIsFound) {
    write_script("#!/bin/sh\nP=\"$DIR/yardmaster-prolog\"\n$P || exit $?\n");
    EXPECT_THAT(words(site_.node(check_prolog_files), "prolog"),
                HasSubstr("calls $DIR/yardmaster-prolog;"));
}

TEST_F(DoctorWrapper, ScriptThatOnlyMentionsUsIsAnError) {
    write_script("#!/bin/sh\n# yardmaster-prolog is off\nexit 0\n");
    EXPECT_EQ(worst(site_.node(check_prolog_files), "prolog"), Severity::kError);
    EXPECT_EQ(worst(site_.controller(check_prolog_files), "prolog"), Severity::kError);
}

TEST_F(DoctorWrapper, ScriptThatTheControllerLacksIsNotChecked) {
    write_script("");
    site_.remove("/etc/slurm/prolog.sh");
    EXPECT_EQ(worst(site_.controller(check_prolog_files), "prolog"), Severity::kNotChecked);
    EXPECT_EQ(worst(site_.node(check_prolog_files), "prolog-file"), Severity::kError);
}

TEST_F(DoctorWrapper, WhatTheScriptCallsMustBeThere) {
    write_script(std::string("#!/bin/sh\n") + kOurs + " || exit $?\n");
    site_.remove(kOurs);
    const auto findings = site_.node(check_prolog_files);
    EXPECT_EQ(worst(findings, "prolog-file"), Severity::kError);
    EXPECT_THAT(words(findings, "prolog-file"), HasSubstr("calls a file that is not there"));
}

TEST(DoctorProlog, LinkInAFolderOfPrologsIsRight) {
    Site site;
    site.set("Prolog", "/etc/slurm/prolog.d/*");
    site.write("/etc/slurm/prolog.d/50-site", "#!/bin/sh\n", 0755);
    EXPECT_EQ(worst(site.node(check_prolog_files), "prolog"), Severity::kError);
    std::filesystem::create_symlink(site.real(kOurs), site.real("/etc/slurm/prolog.d/90-ym"));
    EXPECT_THAT(wrong(site.node(check_prolog_files)), IsEmpty());
    EXPECT_THAT(words(site.node(check_prolog_files), "prolog"), HasSubstr("90-ym"));
}

TEST(DoctorProlog, EveryPrologLineCounts) {
    Site site;
    site.set("Prolog", "/etc/slurm/site.sh");
    site.add("Prolog", kOurs);  // 24.11 runs both
    site.write("/etc/slurm/site.sh", "#!/bin/sh\n", 0755);
    EXPECT_THAT(wrong(site.node(check_prolog_files)), IsEmpty());
}

TEST(DoctorProlog, PatternWithoutMatchIsAnError) {
    Site site;
    site.set("Prolog", "/etc/slurm/prolog.d/*");
    EXPECT_EQ(worst(site.node(check_prolog_files), "prolog-file"), Severity::kError);
}

TEST(DoctorProlog, RelativeNamesLieBesideSlurmConf) {
    Site site;
    site.set("Prolog", "mine.sh");
    site.write("/etc/slurm/mine.sh", "#!/bin/sh\nyardmaster-prolog\n", 0755);
    EXPECT_THAT(wrong(site.node(check_prolog_files)), IsEmpty());
}

}  // namespace
}  // namespace yardmaster::cli::doctor
