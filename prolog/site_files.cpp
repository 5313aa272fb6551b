#include "prolog/site_files.hpp"

#include "prolog/config_file.hpp"
#include "prolog/environment.hpp"

namespace yardmaster {

Result<HealthPolicy> policy_beside(const std::string& slurm_conf,
                                   const std::string& node,
                                   Clock::time_point deadline) {
    const std::string file = config_folder(slurm_conf) + "/yardmaster.json";
    const auto text = read_config_file(file, deadline);
    if (text) {
        return parse_policy(*text, file, node);
    }
    return text.status().code() == ErrorCode::kNotFound ? Result<HealthPolicy>(default_policy())
                                                        : text.status();
}

Result<Fabric> fabric_beside(const std::string& slurm_conf, Clock::time_point deadline) {
    const std::string file = config_folder(slurm_conf) + "/fabric.json";
    const auto text = read_config_file(file, deadline);
    return text ? Fabric::parse(*text, file) : Result<Fabric>(text.status());
}

GpuOrder gpu_order_beside(const std::string& slurm_conf,
                          const std::string& node,
                          Clock::time_point deadline) {
    return read_gpu_order(slurm_conf.substr(0, slurm_conf.rfind('/')), node, deadline);
}

}  // namespace yardmaster
