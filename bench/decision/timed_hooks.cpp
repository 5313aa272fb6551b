// A select plugin that changes nothing: it notes how long each job_test of the plugin behind it
// took.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "plugin/abi/select_hooks.h"

namespace {

/// The file that $YM_TIMING_FILE names; null where it names none, as in commands, which load select
/// plugins too.
std::FILE* notes() {
    static std::FILE* const file = [] {
        const char* path = std::getenv("YM_TIMING_FILE");
        return path == nullptr ? nullptr : std::fopen(path, "ae");
    }();
    return file;
}

std::int64_t wall_ns() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

/// Of this thread: other processes on the machine stretch a decision, but not what it computes.
std::int64_t cpu_ns() {
    std::timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

/// Appends "MODE JOB CODE WALL_NS CPU_NS NODES": mode and code as Slurm has them, NODES the number
/// chosen, 0 where there was no place. timing.py reads it.
extern "C" int ym_hook_job_test(ym_job_test* test) {
    const std::int64_t wall = wall_ns();
    const std::int64_t cpu = cpu_ns();
    const int code = ym_call_stock(test, true);
    const std::int64_t cpu_took = cpu_ns() - cpu;
    const std::int64_t wall_took = wall_ns() - wall;
    if (notes() != nullptr) {
        ym_job_info info;
        ym_job_read(test->job, &info);
        std::fprintf(notes(),
                     "%d %u %d %lld %lld %d\n",
                     test->mode,
                     info.job_id,
                     code,
                     static_cast<long long>(wall_took),
                     static_cast<long long>(cpu_took),
                     code == 0 ? ym_bitmap_count(test->bitmap) : 0);
        std::fflush(notes());
    }
    return code;
}

extern "C" void ym_hook_job_begin(ym_job*) {}
extern "C" void ym_hook_job_fini(ym_job*) {}
extern "C" void ym_hook_resources_moved(void) {}
extern "C" void ym_hook_nodes_changed(void) {}
extern "C" void ym_hook_conf_read(void) {}
