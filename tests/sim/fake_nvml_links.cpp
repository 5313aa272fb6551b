// The fake NVML library's NVLinks: their state and fields, the fabric and the peers.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tests/sim/fake_nvml.hpp"

namespace {

using namespace yardmaster;       // NOLINT: this file is a part of the library's inside
using namespace yardmaster::sim;  // NOLINT

constexpr unsigned kFirstNvlink5Field = 206;  // NVML_FI_DEV_NVLINK_COUNT_MALFORMED_PACKET_ERRORS
constexpr unsigned kNoErrors = 0xfff;         // 15e-255, how an error rate of 0 reads
constexpr unsigned kEffectiveBerField = 220;
constexpr unsigned kSymbolBerField = 222;

bool cut_off(const SimGpu& gpu) {
    return gpu.links_down.size() >= gpu.links;
}

bool contains(const std::vector<unsigned>& list, unsigned value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

void give(nvml_abi::FieldValue& field, unsigned long long value) {
    field.code = kNvmlSuccess;
    field.value_type = nvml_abi::kUnsignedLongLongValue;
    field.value.unsigned_long_long = value;
}

void give_link_field(const SimGpu& gpu, nvml_abi::FieldValue& field) {
    if (field.scope_id >= gpu.links || (field.field_id >= kFirstNvlink5Field) != gpu.nvlink5) {
        field.code = kNvmlNotSupported;
        return;
    }
    const bool rate = field.field_id == kEffectiveBerField || field.field_id == kSymbolBerField;
    give(field, rate ? kNoErrors : 0);
    for (const SimLinkField& set : gpu.link_fields) {
        if (set.id == field.field_id && set.link == field.scope_id) {
            give(field, set.value);
        }
    }
}

void give_field(const SimGpu& gpu, nvml_abi::FieldValue& field) {
    if (field.field_id == nvml_abi::kSwitchLinksField) {
        give(field, gpu.switch_links);
    } else if (scenario.old_fields) {
        field.code = kNvmlInvalidArgument;
    } else if (field.field_id == nvml_abi::kRecoveryActionField) {
        field.code = kNvmlSuccess;
        field.value_type = nvml_abi::kUnsignedIntValue;
        field.value.unsigned_int = gpu.recovery_action;
    } else {
        give_link_field(gpu, field);
    }
}

template <typename Info>
void fill(const SimFabric& fabric, Info& info) {
    std::string digits = fabric.cluster_uuid;
    std::erase(digits, '-');
    for (unsigned i = 0; i < nvml_abi::kFabricUuidLength; ++i) {
        info.cluster_uuid[i] = static_cast<unsigned char>(
            std::strtoul(digits.substr(2 * std::size_t{i}, 2).c_str(), nullptr, 16));
    }
    info.status = fabric.status;
    info.clique_id = fabric.clique;
    info.state = static_cast<unsigned char>(fabric.state);
}

int give_fabric(const SimFabric& fabric, void* info) {
    unsigned version = 0;
    std::memcpy(&version, info, sizeof version);
    if (version == nvml_abi::struct_version<nvml_abi::FabricInfoV3>(3) &&
        scenario.fabric_version >= 3) {
        auto& v3 = *static_cast<nvml_abi::FabricInfoV3*>(info);
        fill(fabric, v3);
        v3.health_mask = fabric.health;
        v3.health_summary = static_cast<unsigned char>(fabric.summary);
    } else if (version == nvml_abi::struct_version<nvml_abi::FabricInfoV2>(2)) {
        auto& v2 = *static_cast<nvml_abi::FabricInfoV2*>(info);
        fill(fabric, v2);
        v2.health_mask = fabric.health;
    } else {
        return kNvmlArgumentVersionMismatch;
    }
    return fabric.code;
}

}  // namespace

YM_EXPORT int nvmlDeviceGetNvLinkState(nvml_abi::Device device, unsigned link, int* active) {
    return with_gpu(device, [&](SimGpu& gpu) {
        if (link >= gpu.links) {
            return int{kNvmlNotSupported};
        }
        *active = contains(gpu.links_down, link) ? 0 : 1;
        return int{kNvmlSuccess};
    });
}

YM_EXPORT int nvmlDeviceGetFieldValues(nvml_abi::Device device,
                                       int count,
                                       nvml_abi::FieldValue* fields) {
    return with_gpu(device, [&](SimGpu& gpu) {
        for (int i = 0; i < count; ++i) {
            give_field(gpu, fields[i]);
        }
        return int{kNvmlSuccess};
    });
}

YM_EXPORT int nvmlDeviceGetGpuFabricInfo(nvml_abi::Device device, nvml_abi::FabricInfoV1* info) {
    return with_gpu(device, [&](SimGpu& gpu) {
        if (scenario.fabric_version < 1) {
            return int{kNvmlFunctionNotFound};
        }
        fill(gpu.fabric, *info);
        return gpu.fabric.code;
    });
}

YM_EXPORT int nvmlDeviceGetGpuFabricInfoV(nvml_abi::Device device, void* info) {
    return with_gpu(device, [&](SimGpu& gpu) {
        return scenario.fabric_version < 2 ? int{kNvmlFunctionNotFound}
                                           : give_fabric(gpu.fabric, info);
    });
}

YM_EXPORT int nvmlDeviceGetP2PStatus(nvml_abi::Device from,
                                     nvml_abi::Device to,
                                     int capability,
                                     int* status) {
    constexpr int kOk = 0;
    constexpr int kNotSupported = 5;  // NVML_P2P_STATUS_NOT_SUPPORTED
    return with_gpu(from, [&](SimGpu& gpu) {
        const auto other = std::find(listed.begin(), listed.end(), static_cast<SimGpu*>(to));
        if (other == listed.end() || capability != nvml_abi::kP2pNvlink) {
            return int{kNvmlInvalidArgument};
        }
        const auto index_of = [](const SimGpu* wanted) {
            return static_cast<unsigned>(std::find(listed.begin(), listed.end(), wanted) -
                                         listed.begin());
        };
        const bool apart = contains(gpu.no_path, index_of(*other)) ||
                           contains((*other)->no_path, index_of(&gpu)) || cut_off(gpu) ||
                           cut_off(**other);
        *status = apart ? kNotSupported : kOk;
        return int{kNvmlSuccess};
    });
}
