#include "cli/site_policy.hpp"

#include "cli/slurm_client.hpp"
#include "healthcheck/budget/child.hpp"
#include "prolog/config_file.hpp"
#include "prolog/environment.hpp"

namespace yardmaster::cli {
namespace {
// A person waits for the answer; a file system that takes longer hangs.
constexpr std::chrono::seconds kConfigLimit{5};
}  // namespace

Result<HealthPolicy> read_site_policy(const std::string& file, const std::string& node) {
    const std::string path =
        file.empty() ? config_folder(default_fabric_file()) + "/yardmaster.json" : file;
    const auto text = read_config_file(path, Clock::now() + kConfigLimit);
    if (text) {
        return parse_policy(*text, path, node);
    }
    return file.empty() && text.status().code() == ErrorCode::kNotFound
               ? Result<HealthPolicy>(default_policy())
               : text.status();
}

}  // namespace yardmaster::cli
