#include "healthcheck/gpu/gpu_counters.hpp"

#include "healthcheck/nvlink/nvlink_field.hpp"

namespace yardmaster {

std::string link_counter_name(std::string_view field, std::size_t link) {
    return std::string(field) + " " + std::to_string(link);
}

std::map<std::string, std::uint64_t> gpu_counters(const GpuReading& gpu) {
    std::map<std::string, std::uint64_t> counters;
    const auto add = [&](const std::string& name, const NvmlNumber& number) {
        if (number.ok()) {
            counters[name] = number.value;
        }
    };
    add(kPcieReplays, gpu.pcie.replays);
    add("uncorrected ecc", gpu.ecc_uncorrected);
    for (const NvlinkField& field : nvlink_fields()) {
        const auto links = gpu.nvlink.fields.find(std::string(field.name));
        if (field.count == NvlinkCount::kRate || links == gpu.nvlink.fields.end()) {
            continue;
        }
        for (std::size_t link = 0; link < links->second.size(); ++link) {
            add(link_counter_name(field.name, link), links->second[link]);
        }
    }
    return counters;
}

}  // namespace yardmaster
