// How long the passive part of the checks takes on a simulated node of eight GPUs, beside the time
// of reading the same files and nothing else.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <set>
#include <vector>

#include "healthcheck/checks.hpp"
#include "tests/sim/sim_node.hpp"

namespace {

using namespace yardmaster;  // NOLINT: a program of one file
namespace fs = std::filesystem;

constexpr int kRounds = 41;
constexpr double kTarget = 3;  // times the bare reading: the goal for the passive part

/// Files of the tree that no reader opens.
bool unread(const fs::path& file) {
    static const std::set<std::string> kNames = {"node_type", "hca_type", "fw_ver", "numa_node"};
    return kNames.count(file.filename()) != 0 || file.parent_path().filename() == "ndevs" ||
           (file.parent_path().filename() == "gids" && file.filename() != "0");
}

/// All files that the readers look at, each once.
std::vector<std::string> files_of(const sim::SimNode& node) {
    std::vector<std::string> files;
    for (const char* part : {"/devices", "/class/infiniband"}) {
        for (const auto& entry : fs::recursive_directory_iterator(node.sysfs_root() + part)) {
            if (entry.is_regular_file() && !unread(entry.path())) {
                files.push_back(entry.path());
            }
        }
    }
    return files;
}

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

/// The median of `kRounds` runs, in milliseconds.
double median_ms(const std::function<void()>& work) {
    std::vector<double> times;
    for (int round = 0; round < kRounds; ++round) {
        const auto begin = Clock::now();
        work();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
    return times[kRounds / 2];
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

int measure(const std::string& folder) {
    const sim::SimNode node(folder);
    const auto settings = sim::default_settings();
    if (Status status = node.create(settings); !status) {
        std::fprintf(stderr, "%s\n", status.message().c_str());
        return 1;
    }
    const CheckScope scope = scope_of(settings);
    const CheckSources sources{node.sysfs_root(), node.nvml_library(), folder + "/state"};
    const auto files = files_of(node);
    Verdict verdict = Verdict::kUnknown;
    const double bare = median_ms([&] { static_cast<void>(read_bare(files)); });
    const double checks = median_ms([&] {
        verdict = run_checks(scope, sources, Clock::now() + std::chrono::seconds(60)).verdict;
    });
    std::printf("passive checks of 8 GPUs and 8 rails: %.2f ms, verdict %s\n",
                checks,
                std::string(to_string(verdict)).c_str());
    std::printf("bare reading of the %zu files:        %.2f ms\n", files.size(), bare);
    std::printf("ratio %.2f, target at most %.0f\n", checks / bare, kTarget);
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
