#include "tests/sim/nccl_commands.hpp"

namespace yardmaster::sim {

const char* const kNcclUsage =
    "  nccl-share DIR PERCENT            all-reduce has this share of its bandwidth\n"
    "  nccl-noise DIR PERMILLE PERCENT   noise of a window; share of windows that dip\n"
    "  nccl-init DIR MS                  making communicators takes this long\n"
    "  nccl-fault DIR WORD               802, nvls, nvls-warning, hang-init, hang-run,\n"
    "                                    wrong-sums, no-memory, other-gpus, none\n";

namespace {

/// A command that does `change(scenario, number)`.
template <typename Change>
Command nccl_number(Change change) {
    return {1, [change](const SimNode& node, const Arguments& a) {
                return with_number(a[0], [&](unsigned number) {
                    return node.change_nccl([&](NcclScenario& s) { change(s, number); });
                });
            }};
}

Status set_noise(const SimNode& node, const Arguments& a) {
    return with_number(a[0], [&](unsigned permille) {
        return with_number(a[1], [&](unsigned percent) {
            return node.change_nccl([&](NcclScenario& s) {
                s.noise = permille / 1000.0;
                s.dips = percent / 100.0;
            });
        });
    });
}

}  // namespace

std::map<std::string, Command> nccl_commands() {
    return {
        {"nccl-share", nccl_number([](NcclScenario& s, unsigned n) { s.share = n / 100.0; })},
        {"nccl-init", nccl_number([](NcclScenario& s, unsigned n) { s.init_ms = n; })},
        {"nccl-noise", {2, set_noise}},
        {"nccl-fault",
         {1,
          [](const SimNode& node, const Arguments& a) {
              return node.change_nccl(
                  [&](NcclScenario& s) { s.fault = a[0] == "none" ? "" : a[0]; });
          }}},
    };
}

}  // namespace yardmaster::sim
