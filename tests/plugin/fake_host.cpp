#include "tests/plugin/fake_host.hpp"

#include <algorithm>

namespace yardmaster::test {
namespace {

FakeHost& instance() {
    static FakeHost the_host;
    return the_host;
}

const char* or_null(const std::string& text) {
    return text.empty() ? nullptr : text.c_str();
}

const char* env_or_null(const ym_job& job, const char* name) {
    const auto found = job.env.find(name);
    return found == job.env.end() ? nullptr : found->second.c_str();
}

void set_env(std::map<std::string, std::string>& env, const char* name, const char* value) {
    env.erase(name);
    if (value != nullptr) {
        env[name] = value;
    }
}

}  // namespace

FakeHost& host() {
    return instance();
}

void reset_host() {
    const std::time_t generation = instance().generation;
    instance() = FakeHost{};
    instance().generation = generation + 1;  // so that the plugin's static state reads anew
}

void FakeHost::occupy(std::int32_t node, std::time_t end, bool preemptable) {
    FakeNode& taken = nodes[static_cast<std::size_t>(node)];
    holdings.push_back({node, taken.free_gpus, 8, end, preemptable});
    taken.free_gpus = 0;
}

bool FakeHost::logged(const std::string& text) const {
    return std::any_of(log.begin(), log.end(), [&](const std::string& line) {
        return line.find(text) != std::string::npos;
    });
}

}  // namespace yardmaster::test

using yardmaster::test::host;

extern "C" {

void ym_log(ym_log_level, const char* text) {
    host().log.emplace_back(text);
}
const char* ym_slurm_conf_path(void) {
    return host().slurm_conf.c_str();
}
const char* ym_plugin_dir(void) {
    return "";
}
time_t ym_conf_generation(void) {
    return host().generation;
}
bool ym_conf_least_loaded(void) {
    return false;
}
int ym_node_count(void) {
    return static_cast<int>(host().nodes.size());
}
const char* ym_node_name(int node) {
    return host().nodes[static_cast<std::size_t>(node)].name.c_str();
}
uint64_t ym_node_sched_weight(int node) {
    return host().nodes[static_cast<std::size_t>(node)].weight;
}
uint32_t ym_node_cpus(int node) {
    return host().nodes[static_cast<std::size_t>(node)].cpus;
}
void ym_node_gpus(int node, uint32_t* total, uint32_t* available) {
    host().on_node_gpus();
    *total = host().nodes[static_cast<std::size_t>(node)].gpus;
    *available = host().nodes[static_cast<std::size_t>(node)].free_gpus;
}

int ym_bitmap_get(const ym_bitmap* bitmap, int32_t* out, int capacity) {
    const auto count = static_cast<int>(bitmap->nodes.size());
    std::copy_n(bitmap->nodes.begin(), std::min(count, capacity), out);
    return count;
}
void ym_bitmap_set(ym_bitmap* bitmap, const int32_t* nodes, int count) {
    bitmap->nodes.assign(nodes, nodes + count);
    std::sort(bitmap->nodes.begin(), bitmap->nodes.end());
}
int ym_bitmap_count(const ym_bitmap* bitmap) {
    return static_cast<int>(bitmap->nodes.size());
}

void ym_job_read(const ym_job* job, ym_job_info* info) {
    *info = job->info;
    info->hints = yardmaster::test::env_or_null(*job, YM_HINTS_ENV);
    info->next_hints = yardmaster::test::env_or_null(*job, YM_NEXT_HINTS_ENV);
    info->features = yardmaster::test::or_null(job->features);
    info->admin_comment = yardmaster::test::or_null(job->admin_comment);
}
int ym_job_required_nodes(const ym_job* job, int32_t* out, int capacity) {
    const ym_bitmap required{job->required};
    return ym_bitmap_get(&required, out, capacity);
}
void ym_job_set_env(ym_job* job, const char* name, const char* value) {
    yardmaster::test::set_env(job->env, name, value);
}
void ym_job_set_admin_comment(ym_job* job, const char* text) {
    job->admin_comment = text == nullptr ? "" : text;
}
bool ym_job_is_requeued(const ym_job* job) {
    return job->requeued;
}
time_t ym_job_start_time(const ym_job* job) {
    return job->marks.start_time;
}
bool ym_job_set_test_now_only(ym_job* job, bool value) {
    std::swap(job->info.test_now_only, value);
    return value;
}
void ym_job_save_marks(const ym_job* job, ym_job_marks* marks) {
    *marks = job->marks;
}
void ym_job_restore_marks(ym_job* job, const ym_job_marks* marks) {
    job->marks = *marks;
}
void ym_for_each_holding(ym_list* candidates, void (*visit)(const ym_holding*, void*), void* arg) {
    for (ym_holding holding : host().holdings) {
        holding.preemptable = holding.preemptable && candidates != nullptr;
        visit(&holding, arg);
    }
}

int ym_call_stock(const ym_job_test* test, bool with_preemptees) {
    const yardmaster::test::StockCall call{test->bitmap->nodes,
                                           test->min_nodes,
                                           test->mode,
                                           with_preemptees && test->preemptees != nullptr,
                                           test->job->info.test_now_only};
    host().calls.push_back(call);
    if (host().accepts(call)) {
        test->bitmap->nodes.resize(std::min<std::size_t>(call.nodes.size(), test->max_nodes));
        test->job->marks.start_time = host().start(call);
        return 0;
    }
    test->bitmap->nodes.clear();  // garbage after a refusal, as are these
    test->job->marks = {999, 999, 999, 999, true};
    return 1;
}
int ym_code_nodes_busy(void) {
    return -1;
}

void ym_desc_read(const ym_job_desc* desc, ym_submission* submission) {
    *submission = desc->submission;
    submission->features = yardmaster::test::or_null(desc->features);
}
void ym_desc_set_features(ym_job_desc* desc, const char* features) {
    desc->features = features == nullptr ? "" : features;
}
void ym_desc_set_env(ym_job_desc* desc, const char* name, const char* value) {
    yardmaster::test::set_env(desc->env, name, value);
}
void ym_job_as_submission(const ym_job* job, ym_submission* submission) {
    *submission = {};
    submission->features = yardmaster::test::or_null(job->features);
}

}  // extern "C"
