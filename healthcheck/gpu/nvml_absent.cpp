#include "healthcheck/gpu/nvml_api.hpp"

namespace yardmaster {
namespace {

class AbsentNvml : public NvmlApi {
  public:
    explicit AbsentNvml(std::string reason) : reason_(std::move(reason)) {}

    int init(std::string& error) override {
        error = reason_;
        return kNvmlFunctionNotFound;
    }
    int driver_version(std::string&) override { return kNvmlFunctionNotFound; }
    int device_count(unsigned&) override { return kNvmlFunctionNotFound; }
    int device(unsigned, NvmlDevice&) override { return kNvmlFunctionNotFound; }
    int minor_number(NvmlDevice, unsigned&) override { return kNvmlFunctionNotFound; }
    int name(NvmlDevice, std::string&) override { return kNvmlFunctionNotFound; }
    int uuid(NvmlDevice, std::string&) override { return kNvmlFunctionNotFound; }
    int pci_bus_id(NvmlDevice, std::string&) override { return kNvmlFunctionNotFound; }
    int mig_mode(NvmlDevice, unsigned&) override { return kNvmlFunctionNotFound; }
    int ecc_uncorrected(NvmlDevice, std::uint64_t&) override { return kNvmlFunctionNotFound; }
    int remapped_rows(NvmlDevice, unsigned&, unsigned&) override { return kNvmlFunctionNotFound; }
    int nvlink_state(NvmlDevice, unsigned, unsigned&) override { return kNvmlFunctionNotFound; }
    int field_values(NvmlDevice, std::vector<NvmlField>& fields) override {
        for (NvmlField& field : fields) {
            field.number = {kNvmlFunctionNotFound, 0};
        }
        return kNvmlFunctionNotFound;
    }
    int fabric_info(NvmlDevice, FabricReading& fabric) override {
        fabric.code = kNvmlFunctionNotFound;
        return fabric.code;
    }
    int pcie(NvmlDevice, NvmlPcie, unsigned&) override { return kNvmlFunctionNotFound; }
    int clock_reasons(NvmlDevice, std::uint64_t&) override { return kNvmlFunctionNotFound; }
    int compute_processes(NvmlDevice, unsigned&) override { return kNvmlFunctionNotFound; }
    int p2p_nvlink(NvmlDevice, NvmlDevice, unsigned&) override { return kNvmlFunctionNotFound; }

  private:
    std::string reason_;
};

}  // namespace

std::unique_ptr<NvmlApi> make_absent_nvml(const std::string& reason) {
    return std::make_unique<AbsentNvml>(reason);
}

}  // namespace yardmaster
