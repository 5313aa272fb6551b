#include "healthcheck/nvlink/nvlink_reader.hpp"

#include <algorithm>

#include "healthcheck/gpu/nvml_abi.hpp"
#include "healthcheck/nvlink/nvlink_field.hpp"

namespace yardmaster {
namespace {

// NVML_NVLINK_MAX_LINKS: 18 in the headers of Hopper's time, 36 in newer ones (NVML API reference).
// A link number beyond what the library knows is answered with an error, which is kept.
constexpr unsigned kMaxLinks = 36;

NvmlDevice handle_of(NvmlApi& nvml, const GpuReading& reading) {
    NvmlDevice device = nullptr;
    const bool there =
        reading.handle_code == kNvmlSuccess && nvml.device(reading.index, device) == kNvmlSuccess;
    return there ? device : nullptr;
}

void read_peers(NvmlApi& nvml, NvmlDevice device, unsigned devices, GpuReading& reading) {
    for (unsigned index = 0; index < devices; ++index) {
        NvmlDevice other = nullptr;
        if (index == reading.index || nvml.device(index, other) != kNvmlSuccess) {
            continue;
        }
        unsigned status = 0;
        const int code = nvml.p2p_nvlink(device, other, status);
        reading.nvlink.peers.push_back({index, {code, code == kNvmlSuccess ? status : 0}});
    }
}

/// One more than the highest link that the device has, up or not: boards may leave out some
/// between.
unsigned links_of(const GpuReading& reading) {
    const auto last = std::find_if(reading.nvlinks.rbegin(),
                                   reading.nvlinks.rend(),
                                   [](const NvmlNumber& link) { return link.ok(); });
    return static_cast<unsigned>(reading.nvlinks.rend() - last);
}

/// [link] what each link answers to one field.
std::vector<NvmlNumber> read_field(NvmlApi& nvml, NvmlDevice device, unsigned id, unsigned links) {
    std::vector<NvmlField> fields;
    for (unsigned link = 0; link < links; ++link) {
        fields.push_back({id, link});
    }
    nvml.field_values(device, fields);
    std::vector<NvmlNumber> numbers;
    for (const NvmlField& field : fields) {
        numbers.push_back(field.number);
    }
    return numbers;
}

}  // namespace

void read_nvlinks(NvmlApi& nvml, unsigned devices, GpuReading& reading) {
    NvmlDevice device = handle_of(nvml, reading);
    if (device == nullptr) {
        return;
    }
    for (unsigned link = 0; link < kMaxLinks; ++link) {
        unsigned active = 0;
        const int code = nvml.nvlink_state(device, link, active);
        reading.nvlinks.push_back({code, code == kNvmlSuccess ? active : 0});
    }
    std::vector<NvmlField> fields = {{nvml_abi::kSwitchLinksField}};
    nvml.field_values(device, fields);
    reading.nvlink.switch_links = fields[0].number;
    read_peers(nvml, device, devices, reading);
}

void read_nvlink_fields(NvmlApi& nvml, GpuReading& reading) {
    NvmlDevice device = handle_of(nvml, reading);
    const unsigned links = links_of(reading);
    if (device == nullptr || links == 0) {
        return;
    }
    for (const NvlinkField& field : nvlink_fields()) {
        std::vector<NvmlNumber> numbers = read_field(nvml, device, field.id, links);
        const bool supported =
            std::any_of(numbers.begin(), numbers.end(), [](const NvmlNumber& number) {
                return !means_absent(number.code);
            });
        if (supported) {
            reading.nvlink.fields.emplace(field.name, std::move(numbers));
        }
    }
}

}  // namespace yardmaster
