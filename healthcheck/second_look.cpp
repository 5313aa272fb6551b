#include "healthcheck/second_look.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/nvlink/nvlink_judge.hpp"
#include "healthcheck/port/port_judge.hpp"

namespace yardmaster {
namespace {

/// A sign that may pass by itself. `short_text` "": whatever it says.
struct Passing {
    std::string_view sign;
    std::string_view short_text;
};

constexpr Passing kPassing[] = {
    {"port.state", "init"},           // a subnet manager has yet to activate the port
    {"port.phys", "recovering"},      // link error recovery ends in microseconds, or not at all
    {"gpu.throttle", ""},             // heat and power brake
    {"nvlink.fabric", "fabric off"},  // the fabric manager may be about to start
};

bool names_gpu(const Finding& finding, unsigned minor) {
    return finding.object == gpu_name(minor);
}

bool read_again(const Finding& finding, const CheckScope& scope, const SecondLook& second) {
    const bool port =
        std::any_of(second.ports.begin(), second.ports.end(), [&](const PortReading& reading) {
            return reading.device == finding.object;
        });
    return port || std::any_of(scope.gpus.begin(), scope.gpus.end(), [&](unsigned minor) {
               return names_gpu(finding, minor) && find_gpu(second.gpus, minor) != nullptr;
           });
}

std::vector<Finding> judge_again(const CheckScope& scope, const Readings& readings) {
    const SecondLook& second = readings.second_look;
    std::vector<Finding> findings = judge_ports(scope, readings.inventory, second.ports);
    for (auto& part :
         {judge_gpus(scope, readings.nvml, second.gpus), judge_nvlinks(scope, second.gpus)}) {
        findings.insert(findings.end(), part.begin(), part.end());
    }
    return findings;
}

bool is_among(const Finding& wanted, const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.object == wanted.object && finding.sign == wanted.sign &&
               finding.verdict == wanted.verdict && finding.short_text == wanted.short_text;
    });
}

}  // namespace

bool wants_second_look(const Finding& finding) {
    return finding.verdict == Verdict::kDegraded && !is_proven(finding) &&
           std::any_of(std::begin(kPassing), std::end(kPassing), [&](const Passing& passing) {
               return finding.sign == passing.sign &&
                      (passing.short_text.empty() || finding.short_text == passing.short_text);
           });
}

CheckScope second_look_scope(const CheckScope& scope, const std::vector<Finding>& findings) {
    CheckScope again = scope;
    const auto concerns = [&](const auto& names_object) {
        return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
            return wants_second_look(finding) && names_object(finding);
        });
    };
    std::erase_if(again.rails, [&](const ExpectedRail& rail) {
        return !concerns([&](const Finding& finding) { return finding.object == rail.device; });
    });
    std::erase_if(again.gpus, [&](unsigned minor) {
        return !concerns([&](const Finding& finding) { return names_gpu(finding, minor); });
    });
    return again;
}

void judge_second_look(const CheckScope& scope,
                       const Readings& readings,
                       std::vector<Finding>& findings) {
    if (readings.second_look.ports.empty() && readings.second_look.gpus.empty()) {
        return;
    }
    const std::vector<Finding> again = judge_again(scope, readings);
    for (Finding& finding : findings) {
        if (!wants_second_look(finding) || !read_again(finding, scope, readings.second_look)) {
            continue;
        }
        if (is_among(finding, again)) {
            finding.repeated = true;
        } else {
            finding.verdict = Verdict::kUnknown;
            finding.detail += "; gone at the second look";
        }
    }
}

}  // namespace yardmaster
