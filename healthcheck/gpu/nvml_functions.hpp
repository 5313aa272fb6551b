// The functions of a loaded NVML library, looked up by name.
#pragma once

#include <cstdint>

#include "healthcheck/gpu/gpu_reading.hpp"
#include "healthcheck/gpu/nvml_abi.hpp"

namespace yardmaster {

/// nullptr for each function that the installed library lacks.
struct NvmlFunctions {
    nvml_abi::InitFn init = nullptr;
    nvml_abi::ShutdownFn shutdown = nullptr;
    nvml_abi::ErrorStringFn error_string = nullptr;
    nvml_abi::DriverVersionFn driver_version = nullptr;
    nvml_abi::DeviceCountFn device_count = nullptr;
    nvml_abi::HandleByIndexFn handle_by_index = nullptr;
    nvml_abi::MinorNumberFn minor_number = nullptr;
    nvml_abi::NameFn name = nullptr;
    nvml_abi::UuidFn uuid = nullptr;
    nvml_abi::PciInfoFn pci_info = nullptr;
    nvml_abi::MigModeFn mig_mode = nullptr;
    nvml_abi::TotalEccFn total_ecc = nullptr;
    nvml_abi::RemappedRowsFn remapped_rows = nullptr;
    nvml_abi::NvLinkStateFn nvlink_state = nullptr;
    nvml_abi::FieldValuesFn field_values = nullptr;
    nvml_abi::FabricInfoFn fabric_info = nullptr;
    nvml_abi::FabricInfoVFn fabric_info_v = nullptr;
    nvml_abi::PcieNumberFn pcie_width = nullptr;
    nvml_abi::PcieNumberFn pcie_width_max = nullptr;
    nvml_abi::PcieNumberFn pcie_generation = nullptr;
    nvml_abi::PcieNumberFn pcie_generation_max = nullptr;
    nvml_abi::PcieNumberFn pcie_replays = nullptr;
    nvml_abi::ClockReasonsFn clock_reasons = nullptr;
    nvml_abi::P2pStatusFn p2p_status = nullptr;
    nvml_abi::ProcessesFn processes = nullptr;
};

/// `library` is dlopen's handle.
NvmlFunctions find_nvml_functions(void* library);

/// Calls `function`, which the installed library may lack.
template <typename Function, typename... Arguments>
int call_nvml(Function function, Arguments... arguments) {
    return function == nullptr ? int{kNvmlFunctionNotFound} : function(arguments...);
}

/// NvmlApi::fabric_info over `functions`: structure version 3, then 2, then the first one.
int read_fabric_info(const NvmlFunctions& functions,
                     nvml_abi::Device device,
                     FabricReading& fabric);

/// The number in an answered field, whatever C type it has; negative ones and numbers that are no
/// whole ones are cut to what std::uint64_t holds.
NvmlNumber number_of(const nvml_abi::FieldValue& field);

}  // namespace yardmaster
