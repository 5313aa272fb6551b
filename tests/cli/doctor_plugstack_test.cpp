// plugstack.conf: what Slurm would make of its lines, and what doctor says to that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/doctor/plugstack.hpp"
#include "tests/cli/doctor_site.hpp"

namespace yardmaster::cli::doctor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kConf = "/etc/slurm/plugstack.conf";
constexpr const char* kPlugin = "/usr/lib/yardmaster/spank_yardmaster.so";

/// A site whose nodes have our SPANK plugin; tests write plugstack.conf.
class DoctorPlugstack : public ::testing::Test {
  protected:
    DoctorPlugstack() { site_.write(kPlugin, fake_plugin("yardmaster", "spank")); }

    std::vector<std::string> files_read() const {
        const auto lines = read_plugstack(site_.host, kConf);
        std::vector<std::string> files;
        for (const PlugstackLine& line : lines.value()) {
            files.push_back(line.kind + " " + line.file + " " + line.place);
        }
        return files;
    }
    std::optional<Severity> severity() const {
        return worst(site_.node(check_plugstack), "plugstack");
    }
    std::string said() const { return words(site_.node(check_plugstack), "plugstack"); }

    Site site_;
};

TEST_F(DoctorPlugstack, LinesAreReadAsSlurmReadsThem) {
    site_.write(kConf,
                "# required a.so\n\n \toptional\tb.so  state_dir=/x # c.so\nrequired\nplugin d.so");
    EXPECT_THAT(files_read(),
                ElementsAre(std::string("optional b.so ") + kConf + ":3",
                            std::string("plugin d.so ") + kConf + ":5"));
}

TEST_F(DoctorPlugstack, IncludesAreFollowedInTheirPlace) {
    site_.write(kConf, "include plugstack.d/*.conf\noptional last.so\n");
    EXPECT_THAT(files_read(), ElementsAre(std::string("optional last.so ") + kConf + ":2"));
    site_.make_folder("/etc/slurm/plugstack.d");
    site_.write("/etc/slurm/plugstack.d/2.conf", "optional two.so\n");
    site_.write("/etc/slurm/plugstack.d/1.conf", "optional one.so\ninclude /etc/more.conf\n");
    site_.write("/etc/more.conf", "required more.so\n");
    EXPECT_THAT(files_read(),
                ElementsAre("optional one.so /etc/slurm/plugstack.d/1.conf:1",
                            "required more.so /etc/more.conf:1",
                            "optional two.so /etc/slurm/plugstack.d/2.conf:1",
                            std::string("optional last.so ") + kConf + ":2"));
}

TEST_F(DoctorPlugstack, FilesThatIncludeOneAnotherAreNotChecked) {
    site_.write(kConf, "include plugstack.conf\n");
    EXPECT_EQ(severity(), Severity::kNotChecked);
    EXPECT_THAT(said(), HasSubstr("include one another"));
}

TEST_F(DoctorPlugstack, OptionalPluginThatIsThereIsRight) {
    for (const char* file : {kPlugin, "spank_yardmaster.so"}) {
        site_.write(kConf, std::string("optional ") + file + " state_dir=/run/ranks\n");
        EXPECT_EQ(severity(), Severity::kOk);
        EXPECT_THAT(said(), HasSubstr(std::string("optional ") + kPlugin)) << file;
        EXPECT_THAT(wrong(site_.node(check_plugstack)), IsEmpty());
    }
}

TEST_F(DoctorPlugstack, WithoutOurLineIsANoteWithTheLineToWrite) {
    EXPECT_EQ(severity(), Severity::kNote);
    site_.write(kConf, "optional other.so\n#optional spank_yardmaster.so\n");
    EXPECT_EQ(severity(), Severity::kNote);
    EXPECT_THAT(said(), HasSubstr(std::string("write optional ") + kPlugin + " in " + kConf));
}

TEST_F(DoctorPlugstack, FileThatCannotBeLoadedCostsTheRanks) {
    site_.write(kConf, "optional /opt/spank_yardmaster.so\n");
    EXPECT_EQ(severity(), Severity::kWarning);
    EXPECT_THAT(said(), HasSubstr("/opt/spank_yardmaster.so: no such file"));
    site_.write(kPlugin, "half of it");
    site_.write(kConf, "optional spank_yardmaster.so\n");
    EXPECT_EQ(severity(), Severity::kWarning);
    EXPECT_THAT(said(), HasSubstr("is no ELF64 file"));
}

TEST_F(DoctorPlugstack, RequiredFileThatCannotBeLoadedIsAnError) {
    site_.write(kConf, "required /opt/spank_yardmaster.so\n");
    EXPECT_EQ(severity(), Severity::kError);
    EXPECT_THAT(said(), HasSubstr("no job starts on this node"));
}

TEST_F(DoctorPlugstack, RequiredIsAWarningEvenWhereItLoads) {
    site_.write(kConf, std::string("required ") + kPlugin + "\n");
    const auto findings = site_.node(check_plugstack);
    EXPECT_EQ(worst(findings, "plugstack"), Severity::kOk);
    EXPECT_EQ(worst(findings, "plugstack-required"), Severity::kWarning);
    EXPECT_THAT(words(findings, "plugstack-required"),
                HasSubstr(std::string("write optional ") + kPlugin + " in " + kConf + ":1"));
}

TEST_F(DoctorPlugstack, OtherFirstWordIsIgnoredBySlurm) {
    site_.write(kConf, std::string("Optional ") + kPlugin + "\n");
    EXPECT_EQ(severity(), Severity::kWarning);
    EXPECT_THAT(said(), HasSubstr(std::string("| Optional | ") + kConf + ":1 |"));
}

TEST_F(DoctorPlugstack, SlurmConfMayNameAnotherFile) {
    site_.write("/etc/spank.conf", "optional spank_yardmaster.so\n");
    site_.set("PlugStackConfig", "/etc/spank.conf");
    EXPECT_EQ(severity(), Severity::kOk);
}

TEST_F(DoctorPlugstack, ControllersAreNotAsked) {
    site_.write(kConf, "required /opt/spank_yardmaster.so\n");
    EXPECT_THAT(site_.controller(check_plugstack), IsEmpty());
}

TEST_F(DoctorPlugstack, VersionIsThatOfTheFileItNames) {
    site_.write("/opt/spank_yardmaster.so", fake_plugin("yardmaster", "spank", 0x170208));
    EXPECT_EQ(worst(site_.node(check_plugin_versions), "plugin-version"), Severity::kOk);
    site_.write(kConf, "optional /opt/spank_yardmaster.so\n");
    EXPECT_EQ(worst(site_.node(check_plugin_versions), "plugin-version"), Severity::kError);
}

}  // namespace
}  // namespace yardmaster::cli::doctor
