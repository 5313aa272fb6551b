// The only place that meets the NVML library.
#include <dlfcn.h>

#include "healthcheck/gpu/nvml_abi.hpp"
#include "healthcheck/gpu/nvml_api.hpp"

namespace yardmaster {
namespace {

struct Functions {
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
};

template <typename Function>
void find(void* library, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
}

Functions find_all(void* library) {
    Functions f;
    find(library, "nvmlInit_v2", f.init);
    find(library, "nvmlShutdown", f.shutdown);
    find(library, "nvmlErrorString", f.error_string);
    find(library, "nvmlSystemGetDriverVersion", f.driver_version);
    find(library, "nvmlDeviceGetCount_v2", f.device_count);
    find(library, "nvmlDeviceGetHandleByIndex_v2", f.handle_by_index);
    find(library, "nvmlDeviceGetMinorNumber", f.minor_number);
    find(library, "nvmlDeviceGetName", f.name);
    find(library, "nvmlDeviceGetUUID", f.uuid);
    find(library, "nvmlDeviceGetPciInfo_v3", f.pci_info);
    find(library, "nvmlDeviceGetMigMode", f.mig_mode);
    find(library, "nvmlDeviceGetTotalEccErrors", f.total_ecc);
    find(library, "nvmlDeviceGetRemappedRows", f.remapped_rows);
    find(library, "nvmlDeviceGetNvLinkState", f.nvlink_state);
    return f;
}

/// Calls `function`, which the installed library may lack.
template <typename Function, typename... Arguments>
int call(Function function, Arguments... arguments) {
    return function == nullptr ? int{kNvmlFunctionNotFound} : function(arguments...);
}

/// Calls a function of the form (device, buffer, size) and takes the text.
template <unsigned size, typename Function>
int call_for_text(Function function, NvmlDevice device, std::string& text) {
    char buffer[size] = "";
    const int code = call(function, device, buffer, size);
    buffer[size - 1] = '\0';
    text = code == kNvmlSuccess ? buffer : "";
    return code;
}

class LoadedNvml : public NvmlApi {
  public:
    explicit LoadedNvml(std::string library) : name_(std::move(library)) {}
    LoadedNvml(const LoadedNvml&) = delete;
    LoadedNvml& operator=(const LoadedNvml&) = delete;
    ~LoadedNvml() override {
        if (initialised_) {
            call(f_.shutdown);
        }
        if (library_ != nullptr) {
            dlclose(library_);
        }
    }

    int init(std::string& error) override {
        library_ = dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library_ == nullptr) {
            const char* reason = dlerror();
            error = reason != nullptr ? reason : name_ + " could not be loaded";
            return kNvmlFunctionNotFound;
        }
        f_ = find_all(library_);
        const int code = call(f_.init);
        initialised_ = code == kNvmlSuccess;
        if (!initialised_) {
            error = "nvmlInit_v2: " + describe(code);
        }
        return code;
    }

    int driver_version(std::string& version) override {
        char buffer[nvml_abi::kDriverVersionSize] = "";
        const int code = call(f_.driver_version, buffer, nvml_abi::kDriverVersionSize);
        version = code == kNvmlSuccess ? buffer : "";
        return code;
    }
    int device_count(unsigned& count) override { return call(f_.device_count, &count); }
    int device(unsigned index, NvmlDevice& device) override {
        return call(f_.handle_by_index, index, &device);
    }
    int minor_number(NvmlDevice device, unsigned& minor) override {
        return call(f_.minor_number, device, &minor);
    }
    int name(NvmlDevice device, std::string& name) override {
        return call_for_text<nvml_abi::kNameSize>(f_.name, device, name);
    }
    int uuid(NvmlDevice device, std::string& uuid) override {
        return call_for_text<nvml_abi::kUuidSize>(f_.uuid, device, uuid);
    }
    int pci_bus_id(NvmlDevice device, std::string& id) override {
        nvml_abi::PciInfo info{};
        const int code = call(f_.pci_info, device, &info);
        info.bus_id[sizeof info.bus_id - 1] = '\0';
        id = code == kNvmlSuccess ? info.bus_id : "";
        return code;
    }
    int mig_mode(NvmlDevice device, unsigned& current) override {
        unsigned pending = 0;
        return call(f_.mig_mode, device, &current, &pending);
    }
    int ecc_uncorrected(NvmlDevice device, std::uint64_t& count) override {
        unsigned long long value = 0;
        const int code =
            call(f_.total_ecc, device, nvml_abi::kUncorrected, nvml_abi::kVolatileEcc, &value);
        count = value;
        return code;
    }
    int remapped_rows(NvmlDevice device, unsigned& pending, unsigned& failed) override {
        unsigned correctable = 0;
        unsigned uncorrectable = 0;
        return call(f_.remapped_rows, device, &correctable, &uncorrectable, &pending, &failed);
    }
    int nvlink_state(NvmlDevice device, unsigned link, unsigned& active) override {
        int enabled = 0;
        const int code = call(f_.nvlink_state, device, link, &enabled);
        active = enabled == 1 ? 1 : 0;
        return code;
    }

  private:
    std::string describe(int code) const {
        const char* text = f_.error_string != nullptr ? f_.error_string(code) : nullptr;
        return (text != nullptr ? text : "error") + (" (" + std::to_string(code) + ")");
    }

    std::string name_;
    void* library_ = nullptr;
    bool initialised_ = false;
    Functions f_;
};

}  // namespace

std::unique_ptr<NvmlApi> make_nvml(const std::string& library) {
    return std::make_unique<LoadedNvml>(library);
}

}  // namespace yardmaster
