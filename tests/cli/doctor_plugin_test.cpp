// Plugins: what their files say, where they lie, and whether Slurm would take them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/doctor_site.hpp"

namespace yardmaster::cli::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(DoctorPluginFile, SaysNameTypeAndVersion) {
    const auto plugin = parse_plugin(fake_plugin("Yardmaster: x", "select/cons_tres"), "f.so");
    ASSERT_TRUE(plugin) << plugin.status().message();
    EXPECT_EQ(plugin->name, "Yardmaster: x");
    EXPECT_EQ(plugin->type, "select/cons_tres");
    EXPECT_EQ(plugin->version, kHere);
    EXPECT_TRUE(plugin->is_ours());
}

TEST(DoctorPluginFile, EveryCutOffFileIsAnErrorOrWhole) {
    const std::string whole = fake_plugin("Yardmaster: x", "select/cons_tres");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        EXPECT_FALSE(parse_plugin(whole.substr(0, size), "f.so")) << size;
    }
}

TEST(DoctorPluginFile, DamagedBytesNeverLeadOutOfTheFile) {
    const std::string whole = fake_plugin("Yardmaster: x", "select/cons_tres");
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string damaged = whole;
        damaged[at] = '\xff';
        (void)parse_plugin(damaged, "f.so").is_ok();  // under the sanitizers: reads no byte outside
    }
}

TEST(DoctorPluginFile, OtherFilesAreNoPlugins) {
    EXPECT_THAT(parse_plugin("#!/bin/sh\n", "f.so").status().message(),
                HasSubstr("f.so: is no ELF64 file"));
}

TEST(DoctorPluginFile, VersionsAreWrittenAsSlurmDoes) {
    EXPECT_EQ(version_text(0x160508), "22.05.8");
    EXPECT_EQ(version_text(0x180b05), "24.11.5");
    EXPECT_EQ(*parse_version("slurm-wlm 22.05.8"), 0x160508U);
    EXPECT_EQ(*parse_version("24.11.5"), 0x180b05U);
    EXPECT_EQ(*parse_version("slurm 24.11.5-1"), 0x180b05U);
    EXPECT_FALSE(parse_version("slurm"));
    EXPECT_FALSE(parse_version(""));
    EXPECT_FALSE(parse_version("22.05"));
}

TEST(DoctorPluginVersion, SameMicroIsRight) {
    const auto findings = Site().controller(check_plugin_versions);
    EXPECT_EQ(worst(findings, "plugin-version"), Severity::kOk);
    EXPECT_EQ(findings.size(), 2U);  // select and job_submit
}

TEST(DoctorPluginVersion, WrongMicroIsAnErrorBeforeSlurmSaysIt) {
    Site site;
    site.write("/usr/lib/yardmaster/select_cons_tres.so",
               fake_plugin("Yardmaster: placement", "select/cons_tres", 0x160509));
    const auto findings = site.controller(check_plugin_versions);
    EXPECT_EQ(worst(findings, "plugin-version"), Severity::kError);
    const std::string said = words(findings, "plugin-version");
    EXPECT_THAT(said,
                HasSubstr("built for Slurm 22.05.9, but the Slurm installed here is 22.05.8"));
    EXPECT_THAT(said, HasSubstr("/usr/lib/yardmaster/select_cons_tres.so"));
    EXPECT_THAT(said, HasSubstr("install yardmaster-controller-slurm22.05.8"));
    EXPECT_THAT(said, HasSubstr("out of PluginDir="));
}

TEST(DoctorPluginVersion, SpankNeedsTheSeriesOnly) {
    Site site;
    site.write("/usr/lib/yardmaster/spank_yardmaster.so",
               fake_plugin("yardmaster", "spank", 0x160501));
    EXPECT_THAT(wrong(site.node(check_plugin_versions)), IsEmpty());
    site.write("/usr/lib/yardmaster/spank_yardmaster.so",
               fake_plugin("yardmaster", "spank", 0x170208));
    EXPECT_EQ(worst(site.node(check_plugin_versions), "plugin-version"), Severity::kError);
}

TEST(DoctorPluginVersion, NodesDoNotLoadTheControllersPlugins) {
    Site site;
    site.write("/usr/lib/yardmaster/select_cons_tres.so",
               fake_plugin("Yardmaster: placement", "select/cons_tres", 0x160509));
    EXPECT_THAT(site.node(check_plugin_versions), IsEmpty());
    EXPECT_EQ(worst(site.controller(check_plugin_versions), "plugin-version"), Severity::kError);
}

TEST(DoctorPluginVersion, WithoutDaemonsSlurmsOwnPluginTells) {
    Site site;
    site.host.version_of = [](const std::string& program) {
        return Result<std::string>(ErrorCode::kNotFound, program + " is not installed here");
    };
    EXPECT_THAT(words(site.controller(check_plugin_versions), "plugin-version"),
                HasSubstr("22.05.8 (/usr/lib/slurm/select_cons_tres.so)"));
    site.remove("/usr/lib/slurm/select_cons_tres.so");
    EXPECT_EQ(worst(site.controller(check_plugin_versions), "plugin-version"),
              Severity::kNotChecked);
}

TEST(DoctorPluginVersion, FileThatIsNoPluginIsAnError) {
    Site site;
    site.write("/usr/lib/yardmaster/select_cons_tres.so", "half of it");
    EXPECT_EQ(worst(site.controller(check_plugin_versions), "plugin-version"), Severity::kError);
}

TEST(DoctorPluginVersion, RunningDaemonOfAnotherVersionIsAWarning) {
    Site site;
    EXPECT_EQ(worst(site.controller(check_plugin_versions), "slurm-version"), std::nullopt);
    site.answer.version = "22.05.7";
    EXPECT_EQ(worst(site.controller(check_plugin_versions), "slurm-version"), Severity::kWarning);
    EXPECT_EQ(worst(site.node(check_plugin_versions), "slurm-version"), std::nullopt);
}

TEST(DoctorPluginDir, OursBeforeSlurmsIsRight) {
    const auto findings = Site().controller(check_plugin_dir);
    EXPECT_THAT(wrong(findings), IsEmpty());
    EXPECT_EQ(worst(findings, "plugin-folder"), Severity::kOk);
    EXPECT_EQ(worst(findings, "plugin-order"), Severity::kOk);
}

TEST(DoctorPluginDir, MissingFolderIsAnErrorOnEveryHost) {
    Site site;
    site.set("PluginDir", "/usr/lib/yardmaster:/opt/gone:/usr/lib/slurm");
    const auto findings = site.node(check_plugin_dir);
    EXPECT_EQ(worst(findings, "plugin-folder"), Severity::kError);
    EXPECT_THAT(words(findings, "plugin-folder"), HasSubstr("mkdir -p /opt/gone"));
    site.make_folder("/opt/gone");
    EXPECT_THAT(wrong(site.node(check_plugin_dir)), IsEmpty());
}

TEST(DoctorPluginDir, FileInAFoldersPlaceIsAnError) {
    Site site;
    site.write("/opt/file", "");
    site.set("PluginDir", "/usr/lib/yardmaster:/usr/lib/slurm:/opt/file");
    EXPECT_EQ(worst(site.node(check_plugin_dir), "plugin-folder"), Severity::kError);
}

TEST(DoctorPluginDir, NodesNeedNoPluginFiles) {
    Site site;
    site.remove("/usr/lib/yardmaster/select_cons_tres.so");
    EXPECT_THAT(wrong(site.node(check_plugin_dir)), IsEmpty());
    const auto findings = site.controller(check_plugin_dir);
    EXPECT_EQ(worst(findings, "plugin-order"), Severity::kError);
    EXPECT_THAT(words(findings, "plugin-order"), HasSubstr("jobs are placed as stock Slurm does"));
}

TEST(DoctorPluginDir, StockFirstIsAnError) {
    Site site;
    site.set("PluginDir", "/usr/lib/slurm:/usr/lib/yardmaster");
    EXPECT_THAT(words(site.controller(check_plugin_dir), "plugin-order"),
                HasSubstr("Slurm's own folder stands first"));
}

TEST(DoctorPluginDir, OursWithoutStockIsAnError) {
    Site site;
    site.set("PluginDir", "/usr/lib/yardmaster");
    EXPECT_THAT(words(site.controller(check_plugin_dir), "plugin-order"),
                HasSubstr("slurmctld will not start"));
}

TEST(DoctorPluginDir, WithoutPluginDirYardmasterIsNotInForce) {
    Site site;
    site.set("PluginDir", "");
    EXPECT_EQ(worst(site.controller(check_plugin_dir), "plugin-order"), Severity::kError);
}

TEST(DoctorPluginDir, CopiesInSlurmsFolderAreFound) {
    Site site;
    site.write("/usr/lib/slurm/job_submit_yardmaster.so", "x");
    auto findings = site.controller(check_plugin_dir);
    EXPECT_EQ(worst(findings, "plugin-copy"), Severity::kWarning);
    EXPECT_THAT(words(findings, "plugin-copy"),
                HasSubstr("rm /usr/lib/slurm/job_submit_yardmaster.so"));
    site.write("/usr/lib/slurm/select_cons_tres.so",
               fake_plugin("Yardmaster: placement", "select/cons_tres"));
    EXPECT_EQ(worst(site.controller(check_plugin_dir), "plugin-copy"), Severity::kError);
}

}  // namespace
}  // namespace yardmaster::cli::doctor
