// Answers of NVML that take more than one call or one type to read.
#include <cstdio>

#include "healthcheck/gpu/nvml_functions.hpp"

namespace yardmaster {
namespace {

std::string uuid_text(const unsigned char (&bytes)[nvml_abi::kFabricUuidLength]) {
    std::string text;
    for (unsigned i = 0; i < nvml_abi::kFabricUuidLength; ++i) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
        text += i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        text += digits;
    }
    return text;
}

template <typename Info>
FabricReading common_part(const Info& info, unsigned version) {
    FabricReading fabric;
    fabric.code = kNvmlSuccess;
    fabric.version = version;
    fabric.state = info.state;
    fabric.status = info.status;
    fabric.clique = info.clique_id;
    fabric.cluster_uuid = uuid_text(info.cluster_uuid);
    return fabric;
}

/// Whether the library may still take an older structure.
bool wants_other_version(int code) {
    return code == kNvmlArgumentVersionMismatch || code == kNvmlInvalidArgument ||
           code == kNvmlFunctionNotFound;
}

int read_v3(const NvmlFunctions& functions, nvml_abi::Device device, FabricReading& fabric) {
    nvml_abi::FabricInfoV3 info{};
    info.version = nvml_abi::struct_version<nvml_abi::FabricInfoV3>(3);
    const int code = call_nvml(functions.fabric_info_v, device, static_cast<void*>(&info));
    if (code == kNvmlSuccess) {
        fabric = common_part(info, 3);
        fabric.health = info.health_mask;
        fabric.health_summary = info.health_summary;
    }
    return code;
}

int read_v2(const NvmlFunctions& functions, nvml_abi::Device device, FabricReading& fabric) {
    nvml_abi::FabricInfoV2 info{};
    info.version = nvml_abi::struct_version<nvml_abi::FabricInfoV2>(2);
    const int code = call_nvml(functions.fabric_info_v, device, static_cast<void*>(&info));
    if (code == kNvmlSuccess) {
        fabric = common_part(info, 2);
        fabric.health = info.health_mask;
    }
    return code;
}

int read_v1(const NvmlFunctions& functions, nvml_abi::Device device, FabricReading& fabric) {
    nvml_abi::FabricInfoV1 info{};
    const int code = call_nvml(functions.fabric_info, device, &info);
    if (code == kNvmlSuccess) {
        fabric = common_part(info, 1);
    }
    return code;
}

std::uint64_t not_negative(long long value) {
    return value < 0 ? 0 : static_cast<std::uint64_t>(value);
}

std::uint64_t value_of(const nvml_abi::FieldValue& field) {
    constexpr double kLargest = 1.8e19;  // below 2^64, above which the cast is undefined
    switch (field.value_type) {
        case nvml_abi::kDoubleValue:
            return field.value.real >= 0 && field.value.real < kLargest
                       ? static_cast<std::uint64_t>(field.value.real)
                       : 0;
        case nvml_abi::kUnsignedIntValue:
            return field.value.unsigned_int;
        case nvml_abi::kUnsignedLongValue:
            return field.value.unsigned_long;
        case nvml_abi::kSignedLongLongValue:
            return not_negative(field.value.signed_long_long);
        case nvml_abi::kSignedIntValue:
            return not_negative(field.value.signed_int);
        case nvml_abi::kUnsignedShortValue:
            return field.value.unsigned_short;
        default:
            return field.value.unsigned_long_long;
    }
}

}  // namespace

int read_fabric_info(const NvmlFunctions& functions,
                     nvml_abi::Device device,
                     FabricReading& fabric) {
    for (auto read : {read_v3, read_v2, read_v1}) {
        fabric = {};
        fabric.code = read(functions, device, fabric);
        if (!wants_other_version(fabric.code)) {
            break;
        }
    }
    return fabric.code;
}

NvmlNumber number_of(const nvml_abi::FieldValue& field) {
    const bool known = field.value_type >= nvml_abi::kDoubleValue &&
                       field.value_type <= nvml_abi::kUnsignedShortValue;
    if (field.code == kNvmlSuccess && !known) {
        return {kNvmlUnknown, 0};
    }
    return {field.code, field.code == kNvmlSuccess ? value_of(field) : 0};
}

}  // namespace yardmaster
