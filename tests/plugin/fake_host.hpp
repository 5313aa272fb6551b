// A slurmctld for unit tests: the functions of slurm_abi.h over a cluster in memory, with a stock
// cons_tres that records what it is asked and behaves as badly after a refusal as the real one.
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "plugin/abi/slurm_abi.h"

struct ym_job {
    ym_job_info info{};
    std::map<std::string, std::string> env;
    std::string features;
    std::string admin_comment;
    std::vector<std::int32_t> required;
    ym_job_marks marks{};
    bool requeued = false;
};

struct ym_bitmap {
    std::vector<std::int32_t> nodes;
};

struct ym_job_desc {
    ym_submission submission{};
    std::string features;
    std::map<std::string, std::string> env;
};

namespace yardmaster::test {

struct FakeNode {
    std::string name;
    std::uint32_t gpus = 8;
    std::uint32_t free_gpus = 8;
    std::uint32_t cpus = 64;
    std::uint64_t weight = 1;
};

/// One call of stock's job_test.
struct StockCall {
    std::vector<std::int32_t> nodes;
    std::uint32_t min_nodes = 0;
    std::uint16_t mode = 0;
    bool with_preemptees = false;
    bool test_now_only = false;
};

struct FakeHost {
    std::vector<FakeNode> nodes;
    std::vector<ym_holding> holdings;
    std::string slurm_conf;
    std::vector<std::string> log;
    std::vector<StockCall> calls;
    /// Whether stock takes a call; every set is taken by default.
    std::function<bool(const StockCall&)> accepts = [](const StockCall&) { return true; };
    /// The start that stock plans for an accepted WILL_RUN.
    std::function<std::time_t(const StockCall&)> start = [](const StockCall&) { return 0; };
    /// Called by ym_node_gpus; may throw, as a defect of ours would.
    std::function<void()> on_node_gpus = [] {};
    std::time_t generation = 1;

    /// Takes a node out of service for jobs: holds all of its GPUs until `end`.
    void occupy(std::int32_t node, std::time_t end, bool preemptable = false);
    bool logged(const std::string& text) const;
};

/// The host that the functions of slurm_abi.h serve; a new one for every test.
FakeHost& host();
void reset_host();

}  // namespace yardmaster::test
