// How long the whole yardmaster-prolog takes on a simulated healthy node of eight GPUs: p50 and p99
// over many runs of the program, and how near its deadline it comes when what it needs hangs.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/prolog/prolog_site.hpp"
#include "tests/prolog/run_command.hpp"

#ifndef YM_NCCL_PROBE
#define YM_NCCL_PROBE "/nonexistent/yardmaster-nccl-probe"
#endif

namespace {

using namespace yardmaster;  // NOLINT: a program of one file
using testing::Outcome;
using testing::PrologSite;

constexpr int kRuns = 100;
/// A bandwidth proves something once it is held against earlier ones.
constexpr int kRunsToProve = 5;
/// Users are told "Prolog hung" after 8 s: docs/prolog.md has the limits and where they are from.
constexpr double kDefaultDeadline_s = 7.5;

bool healthy(const Outcome& outcome) {
    return outcome.exit_status == 0 && outcome.output.empty();
}

double milliseconds(const Outcome& outcome) {
    return std::chrono::duration<double, std::milli>(outcome.took).count();
}

/// A row of `runs` runs, each after `prepare`. False when one of them was not healthy.
bool measure(const char* what, int runs, PrologSite& site, const std::function<void()>& prepare) {
    std::vector<double> times;
    for (int run = 0; run < runs; ++run) {
        prepare();
        const Outcome outcome = testing::run_command({YM_PROLOG_PROGRAM}, site.variables());
        if (!healthy(outcome)) {
            std::fprintf(stderr, "%s: %s\n", what, outcome.output.c_str());
            return false;
        }
        times.push_back(milliseconds(outcome));
    }
    std::sort(times.begin(), times.end());
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(runs - 1))];
    };
    std::printf("%-44s %8.0f ms %8.0f ms %8.0f ms\n", what, at(0.5), at(0.99), at(1));
    return true;
}

bool measure_healthy(int runs, PrologSite& site) {
    const auto forget = [&] { std::filesystem::remove_all(site.kept_in_ + "/state"); };
    const auto nothing = [] {};
    std::printf("%-44s %11s %11s %11s\n", "a healthy node, whole prolog", "p50", "p99", "longest");
    site.write_policy("");
    bool good = measure("ports, GPUs, PCIe, wiring", runs, site, nothing);
    site.write_policy(site.probes("auto", YM_RDMA_PROBE, YM_NCCL_PROBE));
    good = good && measure("and RDMA and NCCL: the first run", runs, site, forget);
    for (int run = 0; run < kRunsToProve; ++run) {
        testing::run_command({YM_PROLOG_PROGRAM}, site.variables());
    }
    return good && measure("and RDMA and NCCL, proven lately", runs, site, nothing);
}

/// One run each: what hangs, hangs for ever, so the time is the deadline's and not chance's.
void measure_hung(PrologSite& site) {
    std::printf("\n%-44s of %.1f s\n", "what hangs", kDefaultDeadline_s);
    const auto row = [&](const char* what, std::vector<std::string> variables) {
        const Outcome outcome = testing::run_command({YM_PROLOG_PROGRAM}, std::move(variables));
        std::printf("%-44s %8.2f s, exit status %d\n",
                    what,
                    milliseconds(outcome) / 1e3,
                    outcome.exit_status);
    };
    for (const auto& [what, first] :
         {std::pair("every child but those that read the policy", "3"),
          std::pair("the writers after the verdict, and the log", "8")}) {
        auto variables = site.variables();
        variables.push_back("LD_PRELOAD=" YM_STOP_CHILDREN);
        variables.push_back(std::string("YM_STOP_CHILDREN_FROM=") + first);
        row(what, std::move(variables));
    }
    static_cast<void>(site.node_.change_scenario([](sim::Scenario& scenario) {
        scenario.hang_s = 600;
        return Status::ok();
    }));
    row("NVML", site.variables());
}

}  // namespace

int main(int argc, char** argv) {
    const bool given = argc == 3 && std::string_view(argv[1]) == "--runs";
    const int runs = given ? std::atoi(argv[2]) : kRuns;
    if ((argc != 1 && !given) || runs < 1) {
        std::fprintf(stderr, "usage: prolog_bench [--runs N]\n");
        return 2;
    }
    PrologSite site;
    if (!site.created()) {
        std::fprintf(stderr, "%s\n", site.created().message().c_str());
        return 1;
    }
    const bool good = measure_healthy(runs, site);
    measure_hung(site);
    return good ? 0 : 1;
}
