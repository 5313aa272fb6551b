#include "healthcheck/nvlink/ber_judge.hpp"

#include <cstdio>

#include "healthcheck/nvlink/nvlink_field.hpp"

namespace yardmaster {
namespace {

constexpr const char* kSign = "nvlink.ber";

struct Rate {
    std::string_view field;
    double limit;
};

struct Worst {
    unsigned link = 0;
    double rate = 0;
};

std::string text_of(double rate) {
    char text[16];
    std::snprintf(text, sizeof text, "%.0e", rate);
    return text;
}

Finding impossible(const std::string& name, std::string_view field) {
    return {"nvlink",
            name,
            kSign,
            Verdict::kUnknown,
            false,
            "",
            std::string(field) + " of a link is above 1, which no error rate can be"};
}

void judge_rate(const std::string& name,
                const std::vector<NvmlNumber>& links,
                const Rate& allowed,
                std::vector<Finding>& findings) {
    Worst worst;
    for (unsigned link = 0; link < links.size(); ++link) {
        const double rate = links[link].ok() ? decode_ber(links[link].value) : 0;
        if (rate > worst.rate) {
            worst = {link, rate};
        }
    }
    if (worst.rate > 1) {
        findings.push_back(impossible(name, allowed.field));
    } else if (worst.rate > allowed.limit) {
        findings.push_back({"nvlink",
                            name,
                            kSign,
                            Verdict::kDegraded,
                            false,
                            "BER " + text_of(worst.rate),
                            std::string(allowed.field) + " of NVLink " +
                                std::to_string(worst.link) + " is " + text_of(worst.rate) +
                                ", the limit is " + text_of(allowed.limit)});
    }
}

}  // namespace

void judge_error_rates(const std::string& name,
                       const GpuReading& gpu,
                       std::vector<Finding>& findings) {
    for (const Rate& allowed :
         {Rate{kSymbolBer, kMaxSymbolBer}, Rate{kEffectiveBer, kMaxEffectiveBer}}) {
        const auto links = gpu.nvlink.fields.find(std::string(allowed.field));
        if (links != gpu.nvlink.fields.end()) {
            judge_rate(name, links->second, allowed, findings);
        }
    }
}

}  // namespace yardmaster
