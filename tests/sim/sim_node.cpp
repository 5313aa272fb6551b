#include "tests/sim/sim_node.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "tests/sim/model.hpp"
#include "tests/sim/sysfs_tree.hpp"

namespace yardmaster::sim {
namespace {

namespace fs = std::filesystem;

SimGpu healthy_gpu(const SimModel& model, unsigned minor) {
    SimGpu gpu;
    gpu.minor = minor;
    gpu.model = model.gpu;
    gpu.links = model.links;
    gpu.links_down = model.unwired;
    gpu.switch_links = model.switched ? model.links : 0;
    gpu.nvlink5 = model.nvlink5;
    gpu.pcie_generation_max = model.pcie_generation;
    gpu.fabric = model.fabric;
    char uuid[64];
    std::snprintf(uuid, sizeof uuid, "GPU-00000000-0000-4000-8000-%012x", minor);
    gpu.uuid = uuid;
    return gpu;
}

Scenario healthy_scenario(const NodeSettings& settings, const SimModel& model) {
    Scenario scenario;
    for (unsigned minor : settings.minors) {
        scenario.gpus.push_back(healthy_gpu(model, minor));
        // NVML prints eight digits of domain where sysfs has four.
        scenario.gpus.back().pci = "0000" + gpu_address(settings, minor);
    }
    return scenario;
}

/// A boot id that differs from node to node.
std::string boot_id(const std::string& node) {
    char text[64];
    std::snprintf(text,
                  sizeof text,
                  "00000000-0000-4000-8000-%012llx",
                  std::hash<std::string>{}(node)&0xffffffffffffULL);
    return text;
}

/// The default route leads over the management NIC's bond (net/ipv4/fib_trie.c).
std::string routes(const NodeSettings& settings) {
    const std::string head =
        "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT";
    return settings.management.empty()
               ? head
               : head + "\nbond0\t00000000\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0";
}

Status write_file(const fs::path& file, const std::string& text) {
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    std::ofstream out(file);
    out << text << "\n";
    out.close();
    return out ? Status::ok()
               : Status(ErrorCode::kUnreadable, file.string() + ": could not be written");
}

}  // namespace

std::string SimNode::port(const std::string& device) const {
    return port_folder(sysfs_root(), device);
}

Status SimNode::write_nvml(const NodeSettings& settings) const {
    const SimModel* model = find_sim_model(settings.model);
    if (model == nullptr) {
        return {ErrorCode::kInvalidArgument, "no model \"" + settings.model + "\""};
    }
    std::error_code error;
    fs::create_directories(folder_ + "/nvml", error);
    fs::create_symlink(fs::absolute(settings.library), nvml_library(), error);
    if (error) {
        return {ErrorCode::kUnreadable, nvml_library() + ": " + error.message()};
    }
    return save_scenario(healthy_scenario(settings, *model), scenario_file());
}

Status SimNode::write_rdma(const NodeSettings& settings) const {
    std::error_code error;
    fs::create_directories(folder_ + "/rdma", error);
    fs::create_symlink(YM_FAKE_VERBS, verbs_library(), error);
    if (error) {
        return {ErrorCode::kUnreadable, verbs_library() + ": " + error.message()};
    }
    RdmaScenario scenario;
    scenario.wire = settings.wire.empty() ? "" : fs::absolute(settings.wire).string();
    return save_rdma_scenario(scenario, rdma_file());
}

Status SimNode::write_nccl(const NodeSettings& settings) const {
    std::error_code error;
    fs::create_directories(folder_ + "/nccl", error);
    for (const std::string& link : {cuda_library(), nccl_library()}) {
        fs::create_symlink(YM_FAKE_CUDA, link, error);
        if (error) {
            return {ErrorCode::kUnreadable, link + ": " + error.message()};
        }
    }
    return save_nccl_scenario(healthy_nccl(settings.model), nccl_file());
}

Status SimNode::create(const NodeSettings& settings) const {
    std::error_code error;
    for (const char* part : {"/sys", "/proc", "/nvml", "/rdma", "/nccl"}) {
        fs::remove_all(folder_ + part, error);
    }
    Status status = write_sysfs(settings, sysfs_root());
    if (status) {
        status = write_file(folder_ + "/proc/sys/kernel/random/boot_id", boot_id(settings.node));
    }
    if (status) {
        status = write_file(folder_ + "/proc/net/route", routes(settings));
    }
    if (status) {
        status = write_nvml(settings);
    }
    if (status) {
        status = write_rdma(settings);
    }
    if (status) {
        status = write_nccl(settings);
    }
    return status ? save_settings(settings, folder_ + "/node.json") : status;
}

Status SimNode::heal() const {
    auto settings = load_settings(folder_ + "/node.json");
    return settings ? create(*settings) : settings.status();
}

Status SimNode::set_rate(const std::string& device, double gbps) const {
    return set_file(port(device) + "/rate", rate_text(gbps));
}

Status SimNode::set_port(const std::string& device,
                         const std::string& state,
                         const std::string& phys_state) const {
    Status status = set_file(port(device) + "/state", state);
    if (status) {
        status = set_file(port(device) + "/phys_state", phys_state);
    }
    return status && state.starts_with("1:") ? set_rate(device, 10) : status;
}

Status SimNode::remove_nic(const std::string& device) const {
    std::error_code error;
    if (!fs::remove(sysfs_root() + "/class/infiniband/" + device, error)) {
        return {ErrorCode::kNotFound, device + ": no such RDMA device in the simulated node"};
    }
    return Status::ok();
}

Status SimNode::set_counter(const std::string& device,
                            const std::string& counter,
                            const std::string& text) const {
    return set_file(port(device) + "/" + counter, text);
}

}  // namespace yardmaster::sim
