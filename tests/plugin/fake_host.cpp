#include "tests/plugin/fake_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <filesystem>
#include <stdexcept>
#include <tuple>

#include "plugin/abi/gpu_marks.h"
#include "plugin/abi/select_hooks.h"

namespace yardmaster::testing {
namespace {

constexpr const char* kTwoLeafGroups = R"({
  "version": 1,
  "node_types": {"t": {"gpus": 8, "nvlink_gigabytes_per_s": 450}},
  "nodes": {"n[0-7]": "t"},
  "switches": [{"name": "core", "oversubscription": 1, "children": [
    {"name": "a", "oversubscription": 2, "nodes": "n[0-3]"},
    {"name": "b", "oversubscription": 2, "nodes": "n[4-7]"}]}]
})";

FakeHost* in_force = nullptr;
// The plugin's state outlives a test: what it compares must never come again.
std::time_t last_generation = 1;
std::uint32_t last_job_id = 100;

std::deque<ym_job>& all_jobs() {
    static std::deque<ym_job> jobs;
    return jobs;
}

/// What job_test leaves on a job that it refuses.
void scribble(ym_job& job, ym_bitmap& bitmap) {
    job.marks.start_time += 4711;
    job.marks.total_cpus += 7;
    job.marks.pn_min_memory += 1;
    job.marks.min_cpus += 1;
    job.marks.best_switch = !job.marks.best_switch;
    bitmap.bits = {0, 5};
}

/// The job's required nodes, then the lowest, until there are `count`.
std::set<std::int32_t> kept_of(const ym_job& job, const NodeSet& nodes, std::size_t count) {
    std::set<std::int32_t> kept(job.required.begin(), job.required.end());
    for (const std::int32_t node : nodes) {
        if (kept.size() < count) {
            kept.insert(node);
        }
    }
    return kept;
}

}  // namespace

FakeHost::FakeHost()
    : generation(++last_generation),
      accepts([](const StockCall&) { return true; }),
      start_time([](const StockCall&) { return kNow; }) {
    in_force = this;
    conf_path = folder_ / "slurm.conf";
    for (int i = 0; i < 8; ++i) {
        nodes.push_back({.name = "n" + std::to_string(i)});
    }
    write_fabric(kTwoLeafGroups);
    ym_hook_nodes_changed();
    log.clear();
}

FakeHost::~FakeHost() {
    last_generation = generation;
    in_force = nullptr;
}

void FakeHost::write_beside_conf(const std::string& name, const std::string& text) {
    write_file(folder_ / (name + ".new"), text);
    std::filesystem::rename(folder_ / (name + ".new"), folder_ / name);
    reconfigure();
}

void FakeHost::write_fabric(const std::string& json) {
    write_beside_conf("fabric.json", json);
}

void FakeHost::write_site_file(const std::string& json) {
    write_beside_conf("yardmaster.json", json);
}

void FakeHost::rewrite_fabric() {
    write_fabric(kTwoLeafGroups);
}

void FakeHost::remove_fabric() {
    std::filesystem::remove(folder_ / "fabric.json");
    reconfigure();
}

ym_job* FakeHost::new_job(std::uint32_t gpus_per_node, const std::string& hints) {
    ym_job& job = all_jobs().emplace_back();
    job.asks.job_id = ++last_job_id;
    job.asks.has_details = true;
    job.asks.pending = true;
    job.asks.cpus_per_task = 1;
    job.asks.gpus_per_node = gpus_per_node;
    job.asks.gpu_kinds = gpus_per_node > 0 ? 1 : 0;
    job.marks = {10, 20, 30, 40, false, nullptr};
    if (!hints.empty()) {
        job.env[YM_HINTS_ENV] = hints;
    }
    return &job;
}

void FakeHost::add_running(int number,
                           const NodeSet& where,
                           std::uint32_t gpus,
                           std::uint32_t cpus,
                           std::time_t end_time) {
    for (const std::int32_t node : where) {
        std::uint64_t mask = 0;
        const std::uint64_t held = nodes.at(static_cast<std::size_t>(node)).held;
        for (std::uint32_t gpu = 0, left = gpus; left > 0; ++gpu) {
            if ((held >> gpu & 1) == 0) {
                mask |= std::uint64_t{1} << gpu;
                --left;
            }
        }
        add_running_on(number, {node}, mask, cpus, end_time);
    }
}

void FakeHost::add_running_on(int number,
                              const NodeSet& where,
                              std::uint64_t mask,
                              std::uint32_t cpus,
                              std::time_t end_time) {
    const auto gpus = static_cast<std::uint32_t>(std::popcount(mask));
    for (const std::int32_t node : where) {
        FakeNode& record = nodes.at(static_cast<std::size_t>(node));
        record.free_gpus -= gpus;
        record.held |= mask;
        holdings.push_back({number, {node, gpus, mask, cpus, end_time, false}});
    }
}

int FakeHost::test(ym_job* job, std::uint16_t mode, std::uint32_t count) {
    return test(job, mode, count, count, count);
}

int FakeHost::test(ym_job* job,
                   std::uint16_t mode,
                   std::uint32_t min_nodes,
                   std::uint32_t max_nodes,
                   std::uint32_t req_nodes) {
    const NodeSet all = all_nodes();
    bitmap.bits = {all.begin(), all.end()};
    ym_job_test job_test{};
    job_test.job = job;
    job_test.bitmap = &bitmap;
    job_test.min_nodes = min_nodes;
    job_test.max_nodes = max_nodes;
    job_test.req_nodes = req_nodes;
    job_test.mode = mode;
    job_test.preemptees = preemptees;
    job_test.earliest = earliest;
    job_test.latest_end = latest_end;
    job_test.host_arguments = this;
    const int code = ym_hook_job_test(&job_test);
    EXPECT_EQ(marks, 0) << "GPUs are still hidden";
    return code;
}

NodeSet FakeHost::all_nodes() const {
    NodeSet all;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!nodes[i].name.empty()) {
            all.push_back(static_cast<std::int32_t>(i));
        }
    }
    return all;
}

std::vector<NodeSet> FakeHost::asked() const {
    std::vector<NodeSet> sets;
    for (const StockCall& call : calls) {
        sets.push_back(call.nodes);
    }
    return sets;
}

int FakeHost::errors_with(const std::string& part) const {
    return static_cast<int>(std::count_if(log.begin(), log.end(), [&](const LogLine& line) {
        return line.level == YM_LOG_ERROR && line.text.find(part) != std::string::npos;
    }));
}

void FakeHost::enter(const char* function) {
    if (throw_in != function || throw_after-- > 0) {
        return;
    }
    throw_in.clear();
    if (throw_strange) {
        throw 42;
    }
    throw std::runtime_error("the test wants it");
}

NodeSet span(std::int32_t first, std::int32_t last) {
    NodeSet nodes;
    for (std::int32_t node = first; node <= last; ++node) {
        nodes.push_back(node);
    }
    return nodes;
}

}  // namespace yardmaster::testing

namespace {

using yardmaster::testing::FakeHost;
using yardmaster::testing::FakeNode;
using yardmaster::testing::in_force;

const FakeNode& node_at(int node) {
    return in_force->nodes.at(static_cast<std::size_t>(node));
}

const char* or_null(const std::optional<std::string>& text) {
    return text ? text->c_str() : nullptr;
}

const char* value_in(const FakeEnv& env, const char* name) {
    const auto found = env.find(name);
    return found == env.end() ? nullptr : found->second.c_str();
}

void set_in(FakeEnv& env, const char* name, const char* value) {
    if (value == nullptr) {
        env.erase(name);
    } else {
        env[name] = value;
    }
}

template <typename Nodes>
int copy_out(const Nodes& nodes, std::int32_t* out, int capacity) {
    int count = 0;
    for (const std::int32_t node : nodes) {
        if (count < capacity) {
            out[count] = node;
        }
        ++count;
    }
    return count;
}

}  // namespace

extern "C" {

void ym_log(ym_log_level level, const char* text) {
    in_force->log.push_back({level, text});
}

const char* ym_slurm_conf_path(void) {
    return in_force->conf_path.c_str();
}

const char* ym_plugin_dir(void) {
    return "";
}

time_t ym_conf_generation(void) {
    return in_force->generation;
}

bool ym_conf_least_loaded(void) {
    return in_force->least_loaded;
}

bool ym_conf_prolog_at_allocation(void) {
    return in_force->prolog_at_allocation;
}

int ym_node_count(void) {
    in_force->enter("ym_node_count");
    return static_cast<int>(in_force->nodes.size());
}

const char* ym_node_name(int node) {
    const std::string& name = node_at(node).name;
    return name.empty() ? nullptr : name.c_str();
}

uint64_t ym_node_sched_weight(int node, uint16_t) {
    in_force->enter("ym_node_sched_weight");
    return node_at(node).weight;
}

uint32_t ym_node_cpus(int node) {
    return node_at(node).cpus;
}

void ym_node_gpus(int node, uint32_t* total, uint32_t* available) {
    in_force->enter("ym_node_gpus");
    *total = node_at(node).gpus;
    *available = node_at(node).free_gpus;
}

const char* ym_node_extra(int node) {
    const std::string& extra = node_at(node).extra;
    return extra.empty() ? nullptr : extra.c_str();
}

bool ym_conf_plans_read_only(void) {
    return in_force->builtin;
}

bool ym_node_gpu_masks(int node, uint32_t gpu_type, ym_gpu_masks* masks) {
    in_force->enter("ym_node_gpu_masks");
    const FakeNode& record = node_at(node);
    masks->fit = (std::uint64_t{1} << record.gpus) - 1;
    masks->fit &= gpu_type != 0 ? ~record.wrong_type : ~std::uint64_t{0};
    masks->shared = masks->fit & record.held_by_shards;
    masks->free = masks->fit & ~record.held & ~record.held_by_shards;
    return record.indices;
}

bool ym_gpus_lack_indices(void) {
    const auto& nodes = in_force->nodes;
    return std::none_of(nodes.begin(), nodes.end(), [](const auto& node) { return node.indices; });
}

void ym_node_gpu_sockets(int node, ym_gpu_sockets* sockets) {
    const FakeNode& record = node_at(node);
    *sockets = {};
    sockets->sockets = static_cast<std::uint32_t>(record.sockets.size());
    sockets->cores = 32;
    std::copy(record.sockets.begin(), record.sockets.end(), sockets->near);
}

void ym_add_busy_cores(const int32_t* slots, uint32_t* cores) {
    in_force->enter("ym_add_busy_cores");
    for (std::size_t node = 0; node < in_force->nodes.size(); ++node) {
        const auto& busy = in_force->nodes[node].busy_cores;
        for (std::size_t socket = 0; slots[node] >= 0 && socket < busy.size(); ++socket) {
            cores[static_cast<std::size_t>(slots[node]) * YM_MOST_SOCKETS + socket] += busy[socket];
        }
    }
}

ym_gpu_marks* ym_gpu_marks_set(const int32_t* nodes, const uint64_t* keep, int count) {
    auto* marks = new ym_gpu_marks;
    for (int i = 0; i < count; ++i) {
        FakeNode& record = in_force->nodes.at(static_cast<std::size_t>(nodes[i]));
        marks->hidden[nodes[i]] = ((std::uint64_t{1} << record.gpus) - 1) & ~keep[i];
        record.hidden |= marks->hidden[nodes[i]];
    }
    ++in_force->marks;
    return marks;
}

void ym_gpu_marks_undo(ym_gpu_marks* marks) {
    for (const auto& [node, hidden] : marks->hidden) {
        in_force->nodes.at(static_cast<std::size_t>(node)).hidden &= ~hidden;
    }
    --in_force->marks;
    delete marks;
}

int ym_bitmap_get(const ym_bitmap* bitmap, int32_t* out, int capacity) {
    return copy_out(bitmap->bits, out, capacity);
}

void ym_bitmap_set(ym_bitmap* bitmap, const int32_t* nodes, int count) {
    bitmap->bits = {nodes, nodes + count};
}

int ym_bitmap_count(const ym_bitmap* bitmap) {
    in_force->enter("ym_bitmap_count");
    return static_cast<int>(bitmap->bits.size());
}

void ym_job_read(const ym_job* job, ym_job_info* info) {
    *info = job->asks;
    info->hints = value_in(job->env, YM_HINTS_ENV);
    info->next_hints = value_in(job->env, YM_NEXT_HINTS_ENV);
    info->features = or_null(job->features);
    info->admin_comment = or_null(job->admin_comment);
}

int ym_job_required_nodes(const ym_job* job, int32_t* out, int capacity) {
    return copy_out(job->required, out, capacity);
}

int ym_job_nodes(const ym_job* job, int32_t* out, int capacity) {
    return copy_out(job->nodes, out, capacity);
}

void ym_job_set_env(ym_job* job, const char* name, const char* value) {
    set_in(job->env, name, value);
}

void ym_job_set_admin_comment(ym_job* job, const char* text) {
    job->admin_comment =
        text == nullptr ? std::nullopt : std::optional<std::string>(std::string(text));
}

bool ym_job_is_requeued(const ym_job* job) {
    return job->requeued;
}

time_t ym_job_start_time(const ym_job* job) {
    return job->marks.start_time;
}

uint32_t ym_job_switch_limit(ym_job* job) {
    return job->switches;
}

void ym_job_save_marks(const ym_job* job, ym_job_marks* marks) {
    *marks = job->marks;
}

void ym_job_restore_marks(ym_job* job, const ym_job_marks* marks) {
    job->marks = *marks;
}

void ym_job_drop_marks(ym_job_marks*) {}

void ym_for_each_holding(const ym_bitmap* among,
                         ym_list* candidates,
                         bool with_gpus,
                         void (*visit)(const ym_holding*, void*),
                         void* arg) {
    in_force->enter("ym_for_each_holding");
    for (const FakeHost::Holding& each : in_force->holdings) {
        ym_holding holding = each.holding;
        if (among->bits.count(holding.node) == 0) {
            continue;
        }
        holding.gpus = with_gpus ? holding.gpus : 0;
        holding.gpu_mask = with_gpus ? holding.gpu_mask : 0;
        holding.preemptable = candidates != nullptr && candidates->jobs.count(each.number) > 0;
        visit(&holding, arg);
    }
}

void ym_job_chosen_gpus(const ym_job* job, uint32_t* least, uint32_t* most) {
    const std::pair asked(job->asks.gpus_per_node, job->asks.gpus_per_node);
    std::tie(*least, *most) = job->held_gpus.value_or(asked);
}

int ym_call_stock(const ym_job_test* test, bool with_preemptees) {
    in_force->enter("ym_call_stock");
    yardmaster::testing::StockCall call;
    call.nodes = {test->bitmap->bits.begin(), test->bitmap->bits.end()};
    call.min_nodes = test->min_nodes;
    call.max_nodes = test->max_nodes;
    call.req_nodes = test->req_nodes;
    call.mode = test->mode;
    call.with_preemptees = with_preemptees && test->preemptees != nullptr;
    call.test_now_only = test->now_only || test->job->asks.test_now_only;
    call.marks = test->job->marks;
    for (const std::int32_t node : call.nodes) {
        call.hidden.push_back(node_at(node).hidden);
    }
    call.accepted = call.nodes.size() >= call.min_nodes && in_force->accepts(call);
    in_force->calls.push_back(call);
    if (!call.accepted) {
        yardmaster::testing::scribble(*test->job, *test->bitmap);
        return in_force->refusal;
    }
    const std::size_t wanted = std::max(call.min_nodes, call.req_nodes);
    test->bitmap->bits = yardmaster::testing::kept_of(*test->job, call.nodes, wanted);
    if (test->mode == YM_MODE_WILL_RUN) {
        test->job->marks.start_time = in_force->start_time(call);
    }
    return 0;
}

int ym_code_nodes_busy(void) {
    return -1;
}

bool ym_code_concerns_nodes(int code) {
    return code != yardmaster::testing::kNoLicence;
}

void ym_desc_read(const ym_job_desc* desc, ym_submission* submission) {
    *submission = desc->submission;
    submission->features = or_null(desc->features);
}

void ym_desc_set_features(ym_job_desc* desc, const char* features) {
    desc->features =
        features == nullptr ? std::nullopt : std::optional<std::string>(std::string(features));
}

void ym_desc_set_env(ym_job_desc* desc, const char* name, const char* value) {
    set_in(desc->env, name, value);
}

void ym_job_as_submission(const ym_job* job, ym_submission* submission) {
    *submission = job->submission;
    submission->features = or_null(job->features);
}

}  // extern "C"
