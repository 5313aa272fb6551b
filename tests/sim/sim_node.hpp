// A simulated node in a folder: DIR/sys, DIR/proc, DIR/nvml/{libnvidia-ml.so.1,scenario.json},
// DIR/rdma/{libibverbs.so.1,rdma.json}, DIR/nccl/{libcuda.so.1,libnccl.so.2,nccl.json},
// DIR/node.json. Creation, damage and healing, as
// ym-sim-node's commands and for unit tests.
#pragma once

#include <string>

#include "tests/sim/nccl_scenario.hpp"
#include "tests/sim/node_settings.hpp"
#include "tests/sim/rdma_scenario.hpp"
#include "tests/sim/scenario.hpp"

namespace yardmaster::sim {

class SimNode {
  public:
    explicit SimNode(std::string folder) : folder_(std::move(folder)) {}

    std::string sysfs_root() const { return folder_ + "/sys"; }
    std::string nvml_library() const { return folder_ + "/nvml/libnvidia-ml.so.1"; }
    std::string verbs_library() const { return folder_ + "/rdma/libibverbs.so.1"; }
    std::string cuda_library() const { return folder_ + "/nccl/libcuda.so.1"; }
    std::string nccl_library() const { return folder_ + "/nccl/libnccl.so.2"; }
    std::string port(const std::string& device) const;

    /// Writes everything anew, healthy; what was in the folder's sys, proc and nvml goes.
    Status create(const NodeSettings& settings) const;
    /// Creates the node again from DIR/node.json.
    Status heal() const;

    Status set_rate(const std::string& device, double gbps) const;
    /// `state` and `phys_state` as the kernel writes them; a port that is down shows rate 10.
    Status set_port(const std::string& device,
                    const std::string& state,
                    const std::string& phys_state) const;
    /// Takes the RDMA device out of class/infiniband.
    Status remove_nic(const std::string& device) const;
    /// `counter` is "counters/link_downed", "hw_counters/out_of_sequence", ...
    Status set_counter(const std::string& device,
                       const std::string& counter,
                       const std::string& text) const;

    /// Adds to a counter.
    Status grow_counter(const std::string& device, const std::string& counter, unsigned by) const;
    /// No GID is left, or only link-local ones.
    Status empty_gids(const std::string& device) const;
    Status unroute_gids(const std::string& device) const;
    /// The network interface of an Ethernet NIC goes down, its port stays.
    Status netdev_down(const std::string& device) const;
    /// The link above `object` runs on `lanes` lanes. Objects: an RDMA device, "GPU3" (by minor),
    /// or a PCI address, also a bridge's.
    Status set_width(const std::string& object, unsigned lanes) const;
    /// The object can do `gts` GT/s at most.
    Status set_max_speed(const std::string& object, double gts) const;
    /// `kind` is correctable, nonfatal or fatal.
    Status set_aer(const std::string& object, const std::string& kind, unsigned count) const;
    /// The PCI address of an object; "" when it is not there.
    std::string read_address(const std::string& object) const;
    /// Two RDMA devices have each other's name, as after a change of cables or of udev rules.
    Status swap_nics(const std::string& a, const std::string& b) const;
    /// A new boot id.
    Status reboot() const;

    /// Loads the scenario, lets `change(scenario) -> Status` alter it, and stores it.
    template <typename Change>
    Status change_scenario(Change change) const {
        auto scenario = load_scenario(scenario_file());
        if (!scenario) {
            return scenario.status();
        }
        if (Status status = change(*scenario); !status) {
            return status;
        }
        return save_scenario(*scenario, scenario_file());
    }
    /// The same for the GPU with device minor `minor`.
    template <typename Change>
    Status change_gpu(unsigned minor, Change change) const {
        return change_scenario([&](Scenario& scenario) {
            for (SimGpu& gpu : scenario.gpus) {
                if (gpu.minor == minor) {
                    change(gpu);
                    return Status::ok();
                }
            }
            return Status(ErrorCode::kNotFound, "no GPU has minor " + std::to_string(minor));
        });
    }

    /// The same for what the fake libibverbs does.
    template <typename Change>
    Status change_rdma(Change change) const {
        auto scenario = load_rdma_scenario(rdma_file());
        if (!scenario) {
            return scenario.status();
        }
        change(*scenario);
        return save_rdma_scenario(*scenario, rdma_file());
    }

    /// The same for what the fake CUDA driver and NCCL do.
    template <typename Change>
    Status change_nccl(Change change) const {
        auto scenario = load_nccl_scenario(nccl_file());
        if (!scenario) {
            return scenario.status();
        }
        change(*scenario);
        return save_nccl_scenario(*scenario, nccl_file());
    }

  private:
    std::string nccl_file() const { return folder_ + "/nccl/nccl.json"; }
    Status write_nccl(const NodeSettings& settings) const;
    std::string rdma_file() const { return folder_ + "/rdma/rdma.json"; }
    Status write_rdma(const NodeSettings& settings) const;
    std::string scenario_file() const { return folder_ + "/nvml/scenario.json"; }
    /// The folder of an object's PCI device.
    Result<std::string> pci_folder(const std::string& object) const;
    Status write_nvml(const NodeSettings& settings) const;

    std::string folder_;
};

}  // namespace yardmaster::sim
