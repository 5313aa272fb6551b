// How long the passive part of the checks takes on a simulated node of eight GPUs, beside the time
// of reading the very files that it opens, and nothing else.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include "bench/opened_files.hpp"
#include "healthcheck/checks.hpp"
#include "tests/sim/sim_node.hpp"

namespace {

using namespace yardmaster;  // NOLINT: a program of one file
namespace fs = std::filesystem;

constexpr int kRounds = 41;
constexpr double kTarget = 3;  // times the bare reading: the goal for the passive part

/// The bytes that were read.
ssize_t read_bare(const std::vector<std::string>& files) {
    char buffer[4096];
    ssize_t bytes = 0;
    for (const std::string& file : files) {
        const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
            bytes += read(fd, buffer, sizeof buffer);
            close(fd);
        }
    }
    return bytes;
}

struct Cost {
    double wall_ms = 0;
    double cpu_ms = 0;  ///< of this process and of its children that have ended
};

double cpu_ms() {
    double sum = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(who, &used);
        for (const timeval& time : {used.ru_utime, used.ru_stime}) {
            sum += static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
        }
    }
    return sum;
}

Cost cost_of(const std::function<void()>& work) {
    const double used = cpu_ms();
    const auto begin = Clock::now();
    work();
    return {std::chrono::duration<double, std::milli>(Clock::now() - begin).count(),
            cpu_ms() - used};
}

/// The value that `share` of the rounds lie below: 0.5 is the median.
double quantile(const std::vector<Cost>& costs, double Cost::*which, double share) {
    std::vector<double> values;
    for (const Cost& cost : costs) {
        values.push_back(cost.*which);
    }
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * (kRounds - 1))];
}

CheckScope scope_of(const sim::NodeSettings& settings) {
    CheckScope scope;
    for (unsigned gpu : settings.minors) {
        scope.gpus.push_back(gpu);
        scope.rails.push_back({settings.rails[gpu], 1, settings.rail_gbps, {gpu}});
    }
    scope.node_gpus = static_cast<unsigned>(settings.minors.size());
    scope.node_rails = settings.rails;
    return scope;
}

void print(const std::vector<Cost>& bare, const std::vector<Cost>& checks) {
    std::printf("%-22s %11s %11s %8s\n", "", "checks", "bare", "ratio");
    const auto row = [&](const char* what, double Cost::*which, double share) {
        const double own = quantile(checks, which, share);
        const double other = quantile(bare, which, share);
        std::printf("%-22s %8.2f ms %8.2f ms %8.2f\n", what, own, other, own / other);
    };
    row("time, median", &Cost::wall_ms, 0.5);
    row("time, best", &Cost::wall_ms, 0);  // as on a machine with nothing else to do
    row("processor time, median", &Cost::cpu_ms, 0.5);
    std::printf("target: at most %.0f times the time, with two processors free\n", kTarget);
}

int measure(const std::string& folder) {
    const sim::SimNode node(folder);
    const auto settings = sim::default_settings();
    if (Status status = node.create(settings); !status) {
        std::fprintf(stderr, "%s\n", status.message().c_str());
        return 1;
    }
    const CheckScope scope = scope_of(settings);
    CheckSources sources{node.sysfs_root(), node.nvml_library(), folder + "/state"};
    sources.rdma.mode = CheckMode::kOff;  // as yardmaster-prolog --passive
    sources.nccl.mode = CheckMode::kOff;
    Verdict verdict = Verdict::kUnknown;
    const auto check = [&] {
        verdict = run_checks(scope, sources, Clock::now() + std::chrono::seconds(60)).verdict;
    };
    check();  // whatever is done once only
    const auto files = opened_files(node.sysfs_root(), check);
    std::vector<Cost> bare, all;  // in turn: other load on the machine meets both
    for (int round = 0; round < kRounds; ++round) {
        bare.push_back(cost_of([&] { static_cast<void>(read_bare(files)); }));
        all.push_back(cost_of(check));
    }
    std::printf(
        "passive checks of 8 GPUs and 8 rails, verdict %s, and bare reading of their %zu files\n",
        std::string(to_string(verdict)).c_str(),
        files.size());
    print(bare, all);
    return verdict == Verdict::kHealthy ? 0 : 1;
}

}  // namespace

int main() {
    // Memory, as sysfs is: a disk would hide what is compared.
    const bool memory = access("/dev/shm", W_OK) == 0;
    std::string folder = memory ? "/dev/shm/ym-passive-XXXXXX" : "/tmp/ym-passive-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
        std::perror("mkdtemp");
        return 1;
    }
    const int status = measure(folder);
    std::error_code error;
    fs::remove_all(folder, error);
    return status;
}
