// NVML as it is installed: loaded with init(), left with the object.
#include <dlfcn.h>

#include "healthcheck/gpu/nvml_api.hpp"
#include "healthcheck/gpu/nvml_functions.hpp"

namespace yardmaster {
namespace {

/// Calls a function of the form (device, buffer, size) and takes the text.
template <unsigned size, typename Function>
int call_for_text(Function function, NvmlDevice device, std::string& text) {
    char buffer[size] = "";
    const int code = call_nvml(function, device, buffer, size);
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
            call_nvml(f_.shutdown);
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
        f_ = find_nvml_functions(library_);
        const int code = call_nvml(f_.init);
        initialised_ = code == kNvmlSuccess;
        if (!initialised_) {
            error = "nvmlInit_v2: " + describe(code);
        }
        return code;
    }

    int driver_version(std::string& version) override {
        char buffer[nvml_abi::kDriverVersionSize] = "";
        const int code = call_nvml(f_.driver_version, buffer, nvml_abi::kDriverVersionSize);
        version = code == kNvmlSuccess ? buffer : "";
        return code;
    }
    int device_count(unsigned& count) override { return call_nvml(f_.device_count, &count); }
    int device(unsigned index, NvmlDevice& device) override {
        return call_nvml(f_.handle_by_index, index, &device);
    }
    int minor_number(NvmlDevice device, unsigned& minor) override {
        return call_nvml(f_.minor_number, device, &minor);
    }
    int name(NvmlDevice device, std::string& name) override {
        return call_for_text<nvml_abi::kNameSize>(f_.name, device, name);
    }
    int uuid(NvmlDevice device, std::string& uuid) override {
        return call_for_text<nvml_abi::kUuidSize>(f_.uuid, device, uuid);
    }
    int pci_bus_id(NvmlDevice device, std::string& id) override {
        nvml_abi::PciInfo info{};
        const int code = call_nvml(f_.pci_info, device, &info);
        info.bus_id[sizeof info.bus_id - 1] = '\0';
        id = code == kNvmlSuccess ? info.bus_id : "";
        return code;
    }
    int mig_mode(NvmlDevice device, unsigned& current) override {
        unsigned pending = 0;
        return call_nvml(f_.mig_mode, device, &current, &pending);
    }
    int ecc_uncorrected(NvmlDevice device, std::uint64_t& count) override {
        unsigned long long value = 0;
        const int code =
            call_nvml(f_.total_ecc, device, nvml_abi::kUncorrected, nvml_abi::kVolatileEcc, &value);
        count = value;
        return code;
    }
    int remapped_rows(NvmlDevice device, unsigned& pending, unsigned& failed) override {
        unsigned correctable = 0;
        unsigned uncorrectable = 0;
        return call_nvml(f_.remapped_rows, device, &correctable, &uncorrectable, &pending, &failed);
    }
    int nvlink_state(NvmlDevice device, unsigned link, unsigned& active) override {
        int enabled = 0;
        const int code = call_nvml(f_.nvlink_state, device, link, &enabled);
        active = enabled == 1 ? 1 : 0;
        return code;
    }
    int field_values(NvmlDevice device, std::vector<NvmlField>& fields) override {
        std::vector<nvml_abi::FieldValue> values(fields.size());
        for (std::size_t i = 0; i < fields.size(); ++i) {
            values[i].field_id = fields[i].id;
            values[i].scope_id = fields[i].scope;
            values[i].code = kNvmlUnknown;
        }
        const int code =
            call_nvml(f_.field_values, device, static_cast<int>(values.size()), values.data());
        for (std::size_t i = 0; i < fields.size(); ++i) {
            fields[i].number = code == kNvmlSuccess ? number_of(values[i]) : NvmlNumber{code, 0};
        }
        return code;
    }
    int fabric_info(NvmlDevice device, FabricReading& fabric) override {
        return read_fabric_info(f_, device, fabric);
    }
    int pcie(NvmlDevice device, NvmlPcie which, unsigned& value) override {
        switch (which) {
            case NvmlPcie::kWidth:
                return call_nvml(f_.pcie_width, device, &value);
            case NvmlPcie::kWidthMax:
                return call_nvml(f_.pcie_width_max, device, &value);
            case NvmlPcie::kGeneration:
                return call_nvml(f_.pcie_generation, device, &value);
            case NvmlPcie::kGenerationMax:
                return call_nvml(f_.pcie_generation_max, device, &value);
            case NvmlPcie::kReplays:
                return call_nvml(f_.pcie_replays, device, &value);
        }
        return kNvmlInvalidArgument;
    }
    int clock_reasons(NvmlDevice device, std::uint64_t& reasons) override {
        unsigned long long value = 0;
        const int code = call_nvml(f_.clock_reasons, device, &value);
        reasons = value;
        return code;
    }
    int compute_processes(NvmlDevice device, unsigned& count) override {
        count = 0;
        const int code = call_nvml(f_.processes, device, &count, nullptr);
        return code == nvml_abi::kInsufficientSize ? int{kNvmlSuccess} : code;
    }
    int p2p_nvlink(NvmlDevice from, NvmlDevice to, unsigned& status) override {
        int value = 0;
        const int code = call_nvml(f_.p2p_status, from, to, nvml_abi::kP2pNvlink, &value);
        status = static_cast<unsigned>(value);
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
    NvmlFunctions f_;
};

}  // namespace

std::unique_ptr<NvmlApi> make_nvml(const std::string& library) {
    return std::make_unique<LoadedNvml>(library);
}

}  // namespace yardmaster
