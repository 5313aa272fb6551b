// slurm.conf as doctor reads it, by the rules of Slurm's own parser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "prolog/conf_lines.hpp"
#include "tests/cli/doctor_site.hpp"

namespace yardmaster::cli::doctor {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Reads "/etc/slurm.conf" from `files`.
SlurmConf read(const std::map<std::string, std::string>& files) {
    const auto conf = read_slurm_conf("/etc/slurm.conf", [&](const std::string& file) {
        const auto found = files.find(file);
        return found == files.end() ? Result<std::string>(ErrorCode::kNotFound, file + ": absent")
                                    : Result<std::string>(found->second);
    });
    return conf ? *conf : SlurmConf{};
}

std::vector<std::string> texts(std::string_view content) {
    std::vector<std::string> list;
    for (const ConfLine& line : conf_lines(content)) {
        list.push_back(std::to_string(line.number) + " " + line.text);
    }
    return list;
}

TEST(DoctorConfLines, CommentsBlanksAndEscapes) {
    EXPECT_THAT(texts("# all\n\nA=1 # rest\n  B=\\#2\r\nC=a\\\\b"),
                ElementsAre("3 A=1", "4 B=#2", "5 C=a\\b"));
}

TEST(DoctorConfLines, ContinuedLinesAreOne) {
    EXPECT_THAT(texts("A=1 \\\n B=2 \\  \nC=3\nD=4\\\\\nE=5"),
                ElementsAre("1 A=1  B=2 C=3", "4 D=4\\", "5 E=5"));
}

TEST(DoctorConfLines, PairsWithQuotesAndOperators) {
    const ConfPairs pairs = conf_pairs(R"(NodeName=a  Comment="x y" CPUs += 4)");
    EXPECT_THAT(
        pairs.pairs,
        ElementsAre(
            std::pair("nodename", "a"), std::pair("comment", "x y"), std::pair("cpus", "4")));
    EXPECT_EQ(pairs.rest, "");
    EXPECT_EQ(conf_pairs("A=1 nonsense B=2").rest, "nonsense B=2");
    EXPECT_EQ(conf_pairs("A=").rest, "A=");
}

TEST(DoctorConf, KeysHaveNoCaseAndTheLastOneHolds) {
    const SlurmConf conf = read({{"/etc/slurm.conf", "PluginDir=/a\nplugindir=/b\n"}});
    ASSERT_NE(conf.settings.find("PLUGINDIR"), nullptr);
    EXPECT_EQ(conf.settings.find("PluginDir")->value, "/b");
    EXPECT_EQ(conf.settings.find("PluginDir")->place, "/etc/slurm.conf:2");
    EXPECT_EQ(conf.settings.find("Prolog"), nullptr);
}

TEST(DoctorConf, IncludesAreReadInPlace) {
    const SlurmConf conf = read(
        {{"/etc/slurm.conf", "ClusterName=Yard\nInclude %c.conf\nInclude /abs\nPrologFlags=Z\n"},
         {"/etc/yard.conf", "PrologFlags=Alloc\n"},
         {"/abs", "Prolog=/p\n"}});
    EXPECT_THAT(conf.problems, IsEmpty());
    EXPECT_EQ(conf.settings.find("PrologFlags")->value, "Z");
    EXPECT_EQ(conf.settings.find("Prolog")->place, "/abs:1");
}

TEST(DoctorConf, FaultsNameTheirPlace) {
    const SlurmConf conf =
        read({{"/etc/slurm.conf", "A=1\nInclude gone.conf\nnonsense\nPrologFlags=Alloc\n"}});
    ASSERT_EQ(conf.problems.size(), 2U);
    EXPECT_EQ(conf.problems[0].place, "/etc/slurm.conf:2");
    EXPECT_THAT(conf.problems[0].text, HasSubstr("/etc/gone.conf: absent"));
    EXPECT_EQ(conf.problems[1].place, "/etc/slurm.conf:3");
    EXPECT_EQ(conf.settings.find("PrologFlags")->value, "Alloc");
}

TEST(DoctorConf, EndlessIncludeIsAFault) {
    const SlurmConf conf = read({{"/etc/slurm.conf", "Include slurm.conf\nA=1\n"}});
    ASSERT_FALSE(conf.problems.empty());
    EXPECT_THAT(conf.problems.front().text, HasSubstr("include one another"));
}

TEST(DoctorConf, NodeLinesAreNoSettings) {
    const SlurmConf conf = read({{"/etc/slurm.conf",
                                  "NodeName=DEFAULT CPUs=4\nNodeName=n[1-2] NodeHostname=h[1-2] "
                                  "Gres=gpu:8\nPartitionName=p LLN=YES\n"}});
    ASSERT_EQ(conf.nodes.size(), 1U);
    EXPECT_THAT(conf.nodes[0].names, ElementsAre("n1", "n2"));
    EXPECT_THAT(conf.nodes[0].hosts, ElementsAre("h1", "h2"));
    EXPECT_EQ(conf.settings.find("Gres"), nullptr);
    EXPECT_EQ(conf.partitions.value_or("LLN", ""), "YES");
}

TEST(DoctorConf, FileThatCannotBeReadIsAnError) {
    const auto conf = read_slurm_conf("/etc/slurm.conf", [](const std::string& file) {
        return Result<std::string>(ErrorCode::kUnreadable, file + ": denied");
    });
    EXPECT_EQ(conf.status().code(), ErrorCode::kUnreadable);
}

TEST(DoctorConf, FaultsAreErrors) {
    Site site;
    EXPECT_EQ(worst(site.controller(check_conf), "slurm-conf"), Severity::kOk);
    site.add("Nonsense", "");
    const auto findings = site.controller(check_conf);
    EXPECT_EQ(worst(findings, "slurm-conf"), Severity::kError);
    EXPECT_THAT(words(findings, "slurm-conf"), HasSubstr("/etc/slurm/slurm.conf:12"));
}

TEST(DoctorConf, RunningDaemonThatHasOtherSettingsIsAWarning) {
    Site site;
    EXPECT_EQ(worst(site.controller(check_conf), "conf-in-force"), Severity::kOk);
    site.set("PluginDir", "/usr/lib/slurm");
    const auto findings = site.controller(check_conf);
    EXPECT_EQ(worst(findings, "conf-in-force"), Severity::kWarning);
    EXPECT_THAT(words(findings, "conf-in-force"), HasSubstr("systemctl restart slurmctld"));
}

TEST(DoctorConf, PrologThatIsNotInForceIsAWarning) {
    Site site;
    site.add("Prolog", "/etc/slurm/more.sh");
    EXPECT_EQ(worst(site.controller(check_conf), "conf-in-force"), Severity::kWarning);
    site.answer.settings.add({"prolog", "/etc/slurm/more.sh", "slurmctld"});
    EXPECT_EQ(worst(site.controller(check_conf), "conf-in-force"), Severity::kOk);
}

TEST(DoctorConf, IsFoundWhereLibslurmFindsIt) {
    Site site;
    site.remove("/etc/slurm/slurm.conf");
    EXPECT_EQ(find_slurm_conf(site.host, nullptr).status().code(), ErrorCode::kNotFound);
    site.write("/run/slurm/conf/slurm.conf", "");
    EXPECT_EQ(*find_slurm_conf(site.host, nullptr), "/run/slurm/conf/slurm.conf");
    site.write_conf();
    EXPECT_EQ(*find_slurm_conf(site.host, nullptr), "/etc/slurm/slurm.conf");
    EXPECT_EQ(*find_slurm_conf(site.host, "/mine"), "/mine");
    EXPECT_EQ(*find_slurm_conf(site.host, "mine"),
              std::filesystem::current_path().string() + "/mine");
}

}  // namespace
}  // namespace yardmaster::cli::doctor
