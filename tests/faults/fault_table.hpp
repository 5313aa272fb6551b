// What the checks must say of every fault that a simulated node can have, on every model.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "healthcheck/verdict.hpp"
#include "tests/sim/model.hpp"

namespace yardmaster::faults {

/// The models on which a fault can exist.
enum class Where {
    kEverywhere,
    kNvSwitch,   ///< NVLinks that the model promises
    kFabric,     ///< GPUs that register with an NVLink fabric
    kRack,       ///< GPUs that belong to a rack's cluster
    kNvlink4,    ///< NVLinks up to Hopper's, with counts of replays, recoveries and CRC errors
    kNvlink5,    ///< NVLinks from Blackwell on, with bit error rates and more counts
    kEthernet,   ///< rails with a network interface
    kNicBeside,  ///< a rail on the PCIe switch of its GPU
};

bool can_exist(Where where, const sim::SimModel& model);
/// Why a fault cannot exist on the other models; "" for kEverywhere.
std::string_view why_not(Where where);

/// How the node gets its verdict.
enum class Looking {
    kPassive,  ///< by all but the active checks
    kRdma,     ///< by the RDMA probe too, after three good runs
    kNccl,     ///< by the NCCL probe too, after three good runs
};

struct Fault {
    /// ym-sim-node's commands without DIR, "; " between them: "aer GPU1 fatal 1; reboot". "_" in a
    /// word is a blank where the word begins with "N/A".
    std::string_view commands;
    Where where = Where::kEverywhere;
    Verdict verdict = Verdict::kHealthy;  ///< where it can exist; elsewhere never kDegraded
    /// Degraded: what `sinfo -R` shows, with {rate}, {links}, {links-1} and {gts} of the model, and
    /// "*" at the end for any rest. Unknown: the same without "ym ", or the finding's sign.
    std::string_view shown{};
    Looking looking = Looking::kPassive;
};

/// Every fault: GPU1 and its rail mlx5_1 are damaged.
const std::vector<Fault>& fault_table();

/// `fault.shown` as it reads on `model`.
std::string shown_on(const Fault& fault, const sim::SimModel& model);

/// The words of each command of `fault`.
std::vector<std::vector<std::string>> command_words(const Fault& fault);

}  // namespace yardmaster::faults
