#include "healthcheck/nvlink/fabric_health.hpp"

namespace yardmaster {
namespace {

constexpr std::uint32_t kTrue = 1;  // NVML_GPU_FABRIC_HEALTH_MASK_*_TRUE; 0 not supported, 2 false

struct FlagField {
    unsigned shift;  // NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_*, each two bits wide
    FabricCondition condition;
};

constexpr FlagField kFlags[] = {
    {0, {"NVL slow", "the NVLink fabric reports degraded bandwidth"}},
    {2, {"NVL reroute", "the NVLink fabric is recovering a route", true}},
    {4, {"NVL route", "the NVLink fabric reports an unhealthy route"}},
    {6, {"NVL timeout", "the NVLink fabric is recovering from an access timeout", true}},
};

// NVML_GPU_FABRIC_HEALTH_MASK_SHIFT_INCORRECT_CONFIGURATION, four bits: 0 not supported, 1 none.
constexpr unsigned kConfigurationShift = 8;
constexpr std::uint32_t kConfigurationMask = 0xf;
constexpr std::string_view kConfiguration[] = {
    "",
    "",
    "the NVLink fabric's configuration is incorrect: wrong system GUID",
    "the NVLink fabric's configuration is incorrect: wrong chassis serial number",
    "the NVLink fabric's configuration is incorrect: no partition",
    "the NVLink fabric's configuration is incorrect: too few NVLinks",
    "the NVLink fabric's configuration is incorrect: incompatible GPU firmware",
    "the NVLink fabric's configuration is incorrect: invalid location",
    "the NVLink fabric's configuration is incorrect: invalid GPU state",
};

}  // namespace

std::vector<FabricCondition> fabric_conditions(std::uint32_t mask) {
    std::vector<FabricCondition> conditions;
    for (const FlagField& flag : kFlags) {
        if (((mask >> flag.shift) & 3) == kTrue) {
            conditions.push_back(flag.condition);
        }
    }
    const std::uint32_t configuration = (mask >> kConfigurationShift) & kConfigurationMask;
    if (configuration > 1) {
        const bool known = configuration < std::size(kConfiguration);
        conditions.push_back({"NVL config",
                              known ? kConfiguration[configuration]
                                    : "the NVLink fabric's configuration is incorrect"});
    }
    return conditions;
}

}  // namespace yardmaster
