#include "healthcheck/gpu/gpu_alarms.hpp"

namespace yardmaster {
namespace {

struct Alarm {
    std::uint64_t value;
    const char* sign;
    const char* short_text;
    const char* detail;
};

// nvmlDeviceGpuRecoveryAction_t. "Needs reset" has the sign of NVML's own "reset required".
constexpr Alarm kActions[] = {
    {1, "gpu.reset", "needs reset", "the driver asks for a reset of the GPU"},
    {2, "gpu.recovery", "needs reboot", "the driver asks for a reboot of the node"},
    {3, "gpu.recovery", "drain P2P", "the driver asks to end all peer-to-peer traffic"},
    {4,
     "gpu.recovery",
     "drain+reset",
     "the driver asks to end all peer-to-peer traffic and then to reset the GPU"},
};

// nvmlClocksEventReasonHwThermalSlowdown and ...HwPowerBrakeSlowdown (NVML API reference, "Clocks
// event reasons"): the clocks are halved or worse. Both pass, so one look is not certain.
constexpr Alarm kReasons[] = {
    {0x40, "gpu.throttle", "too hot", "the clocks are held down by heat (hardware slowdown)"},
    {0x80, "gpu.throttle", "power brake", "the clocks are held down by the external power brake"},
};

Finding degraded(const std::string& name, const Alarm& alarm, bool certain) {
    return {"gpu", name, alarm.sign, Verdict::kDegraded, certain, alarm.short_text, alarm.detail};
}

}  // namespace

void judge_recovery_action(const std::string& name,
                           const GpuReading& gpu,
                           std::vector<Finding>& findings) {
    if (!gpu.recovery_action.ok() || gpu.recovery_action.value == 0) {
        return;
    }
    for (const Alarm& action : kActions) {
        if (gpu.recovery_action.value == action.value) {
            findings.push_back(degraded(name, action, true));
            return;
        }
    }
    const std::string number = std::to_string(gpu.recovery_action.value);
    const std::string text = "recovery " + number;
    const std::string detail = "the driver asks for recovery action " + number;
    findings.push_back(degraded(name, {0, "gpu.recovery", text.c_str(), detail.c_str()}, true));
}

void judge_clock_reasons(const std::string& name,
                         const GpuReading& gpu,
                         std::vector<Finding>& findings) {
    if (!gpu.clock_reasons.ok()) {
        return;
    }
    for (const Alarm& reason : kReasons) {
        if ((gpu.clock_reasons.value & reason.value) != 0) {
            findings.push_back(degraded(name, reason, false));
        }
    }
}

}  // namespace yardmaster
