// A node that Yardmaster has drained, seen from the node itself: its simulated hardware, its
// policy, its evidence folder, and a slurmctld with its drain.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "healthcheck/evidence.hpp"
#include "healthcheck/reason.hpp"
#include "prolog/journal.hpp"
#include "tests/cli/command.hpp"
#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::cli {

class ReviewSite : public ::testing::Test {
  protected:
    ReviewSite() : node_(folder_ / "yard04") {
        sim::NodeSettings settings = sim::default_settings();
        settings.library = YM_FAKE_NVML;
        const Status status = node_.create(settings);
        EXPECT_TRUE(status) << status.message();
        std::filesystem::create_directories(folder_ / "etc");
        std::filesystem::copy(data_file("two_pods.json"), folder_ / "etc/fabric.json");
        yardmaster::testing::write_file(folder_ / "etc/yardmaster.json",
                                        "{\"health\": {\"sysfs_root\": \"" + node_.sysfs_root() +
                                            "\", \"nvml_library\": \"" + node_.nvml_library() +
                                            "\", \"evidence_dir\": \"" + evidence_dir() +
                                            "\", \"state_dir\": \"" + folder_.path() +
                                            "/state\", \"journal\": \"" + journal_file() + "\"}}");
        setenv("SLURM_CONF", (folder_ / "etc/slurm.conf").c_str(), 1);
        setenv("SLURMD_NODENAME", kNode, 1);
    }
    ~ReviewSite() override {
        unsetenv("SLURM_CONF");
        unsetenv("SLURMD_NODENAME");
    }
    std::string evidence_dir() const { return folder_ / "evidence"; }
    std::string journal_file() const { return folder_ / "journal.jsonl"; }

    static std::string our_reason(bool simulated = true) {
        return format_reason({"mlx5_3 100/400Gb", 4711, kDrainId, simulated, "runs at 100 Gb/s"});
    }
    /// slurmctld with yard04 drained for `reason`.
    static FakeSlurm drained(const std::string& reason = our_reason()) {
        SlurmNode node;
        node.name = kNode;
        node.state = "IDLE+DRAIN";
        node.drained = true;
        node.reason = reason;
        node.reason_time = kDrainTime;
        node.reason_uid = 0;
        FakeSlurm slurm;
        slurm.cluster = {node};
        return slurm;
    }
    CommandRun recheck() const { return run_command({"recheck", kNode}); }
    static CommandRun resume(const FakeSlurm& slurm) {
        return run_command({"resume", kNode}, slurm);
    }
    std::vector<std::string> ids() const {
        const auto all = list_evidence(evidence_dir());
        return all ? *all : std::vector<std::string>();
    }
    Evidence newest() const {
        const auto evidence = load_evidence(evidence_dir() + "/" + ids().back() + ".json");
        return evidence ? *evidence : Evidence();
    }
    /// Keeps a bundle again with another time and occasion.
    void keep_as(Evidence evidence, std::time_t time, const std::string& occasion) const {
        evidence.time = time;
        evidence.occasion = occasion;
        evidence.id = make_evidence_id(kNode, 0, time);
        EXPECT_TRUE(write_evidence(evidence, evidence_dir()));
    }
    std::vector<JournalEntry> journal() const {
        const auto read = read_journal(journal_file());
        return read ? read->entries : std::vector<JournalEntry>();
    }

    static constexpr const char* kNode = "yard04";
    static constexpr std::time_t kDrainTime = 1700000000;
    static constexpr const char* kDrainId = "yard04-4711-1700000000";
    yardmaster::testing::ScratchFolder folder_;
    sim::SimNode node_;
};

}  // namespace yardmaster::cli
