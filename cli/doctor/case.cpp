#include "cli/doctor/case.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "prolog/environment.hpp"

namespace yardmaster::cli::doctor {
namespace {

constexpr const char* kConfiglessConf = "/run/slurm/conf/slurm.conf";

/// "ctl1(10.0.0.1)" is the host ctl1, and so is "ctl1.example.com".
std::string short_name(const std::string& host) {
    return host.substr(0, host.find_first_of("(."));
}

bool is_controller_host(const Host& host, const SlurmConf& conf) {
    for (const char* key :
         {"SlurmctldHost", "ControlMachine", "BackupController"}) {  // the latter until 18.08
        for (const Setting& setting : conf.settings.all(key)) {
            if (short_name(setting.value) == host.name) {
                return true;
            }
        }
    }
    return false;
}

Result<Fabric> load_fabric(const Host& host, const std::string& file) {
    const auto text = read_text(host, file);
    return text ? Fabric::parse(*text, file) : Result<Fabric>(text.status());
}

/// What `parse` makes of yardmaster.json's text; `otherwise` where there is none.
template <typename Section, typename Parse>
Result<Section> section_of(const Result<std::string>& text, Section otherwise, Parse parse) {
    if (text) {
        return parse(*text);
    }
    return text.status().code() == ErrorCode::kNotFound ? Result<Section>(std::move(otherwise))
                                                        : text.status();
}

}  // namespace

std::string Case::place_of(std::string_view key) const {
    const Setting* setting = conf.settings.find(key);
    return setting != nullptr ? setting->place : conf.file;
}

std::string Case::our_file(const std::string& name) const {
    return config_folder(conf.file) + "/" + name;
}

std::string Case::beside_conf(const std::string& name) const {
    return conf.file.substr(0, conf.file.rfind('/') + 1) + name;
}

Result<std::string> find_slurm_conf(const Host& host, const char* from_environment) {
    if (from_environment != nullptr && *from_environment != '\0') {
        std::error_code error;
        const auto whole = std::filesystem::absolute(from_environment, error);
        return error ? std::string(from_environment) : whole.string();
    }
    for (const char* file : {kDefaultSlurmConf, kConfiglessConf}) {
        if (look_at(host, file)) {
            return std::string(file);
        }
    }
    return Status(ErrorCode::kNotFound,
                  std::string("no slurm.conf: SLURM_CONF is not set, and there is neither ") +
                      kDefaultSlurmConf + " nor " + kConfiglessConf +
                      "; name yours: SLURM_CONF=/path/to/slurm.conf yardmaster doctor");
}

std::vector<std::string> nodes_on(const Host& host, const SlurmConf& conf) {
    std::vector<std::string> found;
    for (const NodeLine& line : conf.nodes) {
        for (std::size_t i = 0; i < line.names.size(); ++i) {
            // One NodeHostname may stand for all nodes of its line.
            const std::string& on = line.hosts.empty()      ? line.names[i]
                                    : i < line.hosts.size() ? line.hosts[i]
                                                            : line.hosts.back();
            if (short_name(on) == host.name) {
                found.push_back(line.names[i]);
            }
        }
    }
    return found;
}

Roles guess_roles(const Host& host, const SlurmConf& conf) {
    return {is_controller_host(host, conf) || host.is_running("slurmctld"),
            !nodes_on(host, conf).empty() || host.is_running("slurmd")};
}

Case examine(const Host& host, Roles roles, const std::string& node, SlurmConf conf) {
    const std::string folder = config_folder(conf.file);
    auto controller = host.ask_controller(host.root + conf.file);
    auto fabric = load_fabric(host, folder + "/fabric.json");
    const std::string site_file = folder + "/yardmaster.json";
    const auto site_text = read_text(host, site_file);
    auto policy = section_of(site_text, default_policy(), [&](const std::string& text) {
        return parse_policy(text, site_file, node);
    });
    auto weights = section_of(site_text, CostWeights{}, [&](const std::string& text) {
        return parse_cost_weights(text, site_file);
    });
    return {host,
            roles,
            node,
            std::move(conf),
            std::move(controller),
            std::move(fabric),
            std::move(policy),
            std::move(weights)};
}

}  // namespace yardmaster::cli::doctor
