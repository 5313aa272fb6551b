// An in-memory slurmctld under the shim's interface (plugin/abi/slurm_abi.h), with a stock
// cons_tres that does as the test tells it.
#pragma once

#include <atomic>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/abi/slurm_abi.h"
#include "plugin/select/node_sets.hpp"
#include "tests/healthcheck/scratch_folder.hpp"

using FakeEnv = std::map<std::string, std::string>;

struct ym_job {
    ym_job_info asks{};  ///< job_id, counts and flags; its strings stand below
    std::optional<std::string> features;
    std::optional<std::string> admin_comment;
    FakeEnv env;
    std::vector<std::int32_t> required;
    std::vector<std::int32_t> nodes;  ///< that it holds or held
    /// Fewest and most GPUs on one node, by stock's choice; none: what it asks for of each.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> held_gpus;
    ym_job_marks marks{};
    std::uint32_t switches = 0;  ///< what ym_job_switch_limit gives
    bool requeued = false;
    ym_submission submission{};  ///< what ym_job_as_submission gives; its features stand above
};

struct ym_job_desc {
    ym_submission submission{};           ///< its features stand below
    std::optional<std::string> features;  ///< none: NULL
    FakeEnv env;
};

struct ym_gpu_marks {
    std::map<int, std::uint64_t> hidden;  ///< by node
};

struct ym_bitmap {
    std::set<std::int32_t> bits;
};

/// Candidates for preemption, by the number that the test gave the job in add_running.
struct ym_list {
    std::set<int> jobs;
};

namespace yardmaster::testing {

struct FakeNode {
    std::string name;  ///< "": an empty slot of the node table
    std::uint32_t gpus = 8;
    std::uint32_t free_gpus = 8;
    std::uint32_t cpus = 64;
    std::uint64_t weight = 1;
    std::string extra{};     ///< "": NULL
    bool indices = true;     ///< gres.conf with File=
    std::uint64_t held = 0;  ///< GPUs that jobs hold, by index
    std::uint64_t held_by_shards = 0;
    std::uint64_t hidden = 0;                 ///< by the plugin, at this moment
    std::uint64_t wrong_type = 0;             ///< GPUs of another type than the one that jobs name
    std::vector<std::uint64_t> sockets{};     ///< GPUs of each; none: GPUs are not bound to cores
    std::vector<std::uint32_t> busy_cores{};  ///< of each socket; of 32
};

/// One call of stock cons_tres as it came in.
struct StockCall {
    NodeSet nodes;
    std::uint32_t min_nodes = 0;
    std::uint32_t max_nodes = 0;
    std::uint32_t req_nodes = 0;
    std::uint16_t mode = 0;
    bool with_preemptees = false;
    bool test_now_only = false;
    ym_job_marks marks{};  ///< of the job, before stock touches them
    bool accepted = false;
    std::vector<std::uint64_t> hidden;  ///< [node of nodes] GPUs that stock did not see
};

struct LogLine {
    ym_log_level level;
    std::string text;
};

/// What stock returns when it refuses; differs from ym_code_nodes_busy.
inline constexpr int kStockRefuses = 2016;
/// The refusal that other nodes would not change.
inline constexpr int kNoLicence = 2048;

/// The host in force while it lives; there is one at a time. Jobs outlive it, because the plugin
/// remembers their addresses.
class FakeHost {
  public:
    /// Eight nodes n0..n7 of eight GPUs, in two leaf groups of four, as the fabric file says too.
    FakeHost();
    ~FakeHost();
    FakeHost(const FakeHost&) = delete;
    FakeHost& operator=(const FakeHost&) = delete;

    /// Puts the file beside slurm.conf, in one step, and lets Slurm read its configuration again.
    void write_fabric(const std::string& json);
    void write_site_file(const std::string& json);  ///< yardmaster.json, in the same way
    void rewrite_fabric();                          ///< with what it holds at the beginning
    void remove_fabric();
    void reconfigure() { generation += 1; }

    /// A pending job with an id of its own that asks for `gpus_per_node`.
    static ym_job* new_job(std::uint32_t gpus_per_node, const std::string& hints = "");
    /// A job that runs on `nodes` and holds this much of each; takes the GPUs off their free ones,
    /// lowest indices first.
    void add_running(int number,
                     const NodeSet& nodes,
                     std::uint32_t gpus,
                     std::uint32_t cpus,
                     std::time_t end_time);
    /// The same for a job that holds exactly the GPUs `mask` of each node.
    void add_running_on(int number,
                        const NodeSet& nodes,
                        std::uint64_t mask,
                        std::uint32_t cpus,
                        std::time_t end_time);
    /// Calls ym_hook_job_test for `job` with every node of the table offered.
    int test(ym_job* job, std::uint16_t mode, std::uint32_t nodes);
    int test(ym_job* job,
             std::uint16_t mode,
             std::uint32_t min_nodes,
             std::uint32_t max_nodes,
             std::uint32_t req_nodes);

    NodeSet all_nodes() const;
    NodeSet chosen() const { return {bitmap.bits.begin(), bitmap.bits.end()}; }
    std::vector<NodeSet> asked() const;  ///< the node sets of all calls
    int errors_with(const std::string& part) const;
    void enter(const char* function);  ///< throws when the test wants it

    struct Holding {
        int number;
        ym_holding holding;
    };

    std::vector<FakeNode> nodes;
    std::vector<Holding> holdings;
    ym_list* preemptees = nullptr;  ///< handed to job_test
    bool least_loaded = false;
    bool builtin = false;  ///< sched/builtin
    int marks = 0;         ///< sets of hidden GPUs that are out; none may outlive job_test
    bool prolog_at_allocation = true;
    std::atomic<std::time_t> generation;
    std::string conf_path;

    /// Stock's answer; asked only when the set has enough nodes. By default yes.
    std::function<bool(const StockCall&)> accepts;
    /// The start that stock plans for an accepted WILL_RUN; by default kNow.
    std::function<std::time_t(const StockCall&)> start_time;
    static constexpr std::time_t kNow = 1'000'000;
    int refusal = kStockRefuses;  ///< what stock returns when it refuses
    std::time_t earliest = 0;     ///< handed to job_test
    std::time_t latest_end = 0;   ///< likewise

    std::vector<StockCall> calls;
    std::vector<LogLine> log;
    ym_bitmap bitmap;  ///< that of the last test()
    std::string throw_in;
    int throw_after = 0;  ///< calls of it that still go well
    bool throw_strange = false;

  private:
    void write_beside_conf(const std::string& name, const std::string& text);

    ScratchFolder folder_;
};

/// A bunch of nodes [first, last].
NodeSet span(std::int32_t first, std::int32_t last);

}  // namespace yardmaster::testing
