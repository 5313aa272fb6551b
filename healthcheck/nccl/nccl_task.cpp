#include "healthcheck/nccl/nccl_task.hpp"

#include <algorithm>
#include <ctime>

#include "healthcheck/baseline/state_file.hpp"
#include "healthcheck/budget/program.hpp"
#include "healthcheck/nccl/nccl_json.hpp"

namespace yardmaster {
namespace {

using std::chrono::milliseconds;

/// What a run leaves of its time for the probe's start, and for giving the GPUs' memory back.
constexpr milliseconds kAround{300};

void send(int fd, const char* kind, JsonValue value) {
    write_line(fd, JsonValue::object().set(kind, std::move(value)).dump_exact());
}

bool concerns(const NcclBaseline& baseline, const NcclReading& reading) {
    const NcclConditions& conditions = baseline.conditions;
    return conditions.model == reading.model && conditions.gpus == reading.uuids.size() &&
           conditions.set == reading.set && conditions.driver == reading.driver;
}

void send_baselines(const NcclReading& reading, const std::string& state_dir, int fd) {
    const auto kept = read_state<NcclBaselines>(state_dir, kNcclState);
    if (!kept.note.empty()) {
        send(fd, "nccl_note", kept.note);
    }
    for (const NcclBaseline& baseline : kept.state.value_or(NcclBaselines{}).all) {
        if (concerns(baseline, reading)) {
            send(fd, "nccl_baseline", to_json(baseline));
        }
    }
}

double uptime_s() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

std::vector<std::string> probe_arguments(const NcclReading& reading,
                                         const NcclPolicy& policy,
                                         milliseconds budget) {
    std::vector<std::string> words = {policy.probe,
                                      "--cuda-library=" + policy.cuda_library,
                                      "--nccl-library=" + policy.library,
                                      "--budget-s=" + seconds_argument(budget),
                                      "--max-init-s=" + seconds_argument(policy.max_init)};
    words.insert(words.end(), reading.uuids.begin(), reading.uuids.end());
    return words;
}

void send_absent(int fd, const std::string& why) {
    send(fd, "nccl_probe", JsonValue::object());
    send(fd, "nccl_error", JsonValue::object().set("fault", "absent").set("error", why));
}

milliseconds time_left(Clock::time_point deadline) {
    return std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
}

}  // namespace

void send_nccl_starts(const CheckSources& sources, int fd) {
    if (sources.nccl.mode == CheckMode::kOff) {
        return;
    }
    const auto kept = read_state<NcclBaselines>(sources.state_dir, kNcclState).state;
    const double now_s = uptime_s();
    for (const NcclStart& start : kept.value_or(NcclBaselines{}).starts) {
        if (counts(start, now_s)) {
            send(fd, "nccl_start", to_json(start));
        }
    }
}

Task nccl_task(const NcclReading& reading,
               const CheckSources& sources,
               milliseconds budget,
               bool with_baselines) {
    return {"NCCL probe", [=](int fd) {
                if (with_baselines) {
                    send_baselines(reading, sources.state_dir, fd);
                }
                send_absent(fd, become_program(probe_arguments(reading, sources.nccl, budget), fd));
            }};
}

std::vector<TaskEnd> run_nccl(const CheckScope& scope,
                              const CheckSources& sources,
                              Clock::time_point deadline,
                              const NvmlReading& nvml,
                              const std::vector<GpuReading>& gpus,
                              NcclReading& reading,
                              const std::function<Clock::time_point(const std::string&)>& on_line) {
    std::vector<TaskEnd> ends;
    bool more = plan_nccl(scope, sources, nvml, gpus, reading);
    for (bool first = true; more; first = false) {
        const milliseconds left = time_left(deadline);
        if (left < kNcclLeastTime) {
            reading.not_run = first ? "no time was left for it" : "";
            break;
        }
        if (const auto why = too_little_time(reading, left); first && why) {
            reading.not_run = *why;
            break;
        }
        reading.start_limit = std::min(left - kAround, sources.nccl.max_init);
        const Task task = nccl_task(reading, sources, left - kAround, first);
        const auto own = collect({task}, deadline, on_line);
        ends.insert(ends.end(), own.begin(), own.end());
        more = first && wants_second_attempt(reading);
    }
    return ends;
}

Status keep_nccl(const NcclReading& reading,
                 const std::vector<Finding>& findings,
                 const CheckSources& sources) {
    const auto kept = read_state<NcclBaselines>(sources.state_dir, kNcclState).state;
    NcclBaselines all = kept.value_or(NcclBaselines{});
    const std::string before = to_json(all).dump_exact();
    learn_from(reading, findings, all);
    learn_start(reading, uptime_s(), all.starts);
    return to_json(all).dump_exact() == before
               ? Status::ok()
               : write_state(sources.state_dir, kNcclState, to_json(all));
}

}  // namespace yardmaster
