#include "cli/site_policy.hpp"

#include "cli/slurm_client.hpp"
#include "healthcheck/budget/child.hpp"
#include "prolog/config_file.hpp"
#include "prolog/environment.hpp"

namespace yardmaster::cli {
namespace {

// A person waits for the answer; a file system that takes longer hangs.
constexpr std::chrono::seconds kConfigLimit{5};

/// What `parse` makes of `file`'s text and path; `otherwise` where the default file is absent.
template <typename Section, typename Parse>
Result<Section> read_section(const std::string& file, Section otherwise, Parse parse) {
    const std::string path =
        file.empty() ? config_folder(default_fabric_file()) + "/yardmaster.json" : file;
    const auto text = read_config_file(path, Clock::now() + kConfigLimit);
    if (text) {
        return parse(*text, path);
    }
    return file.empty() && text.status().code() == ErrorCode::kNotFound
               ? Result<Section>(std::move(otherwise))
               : text.status();
}

}  // namespace

Result<HealthPolicy> read_site_policy(const std::string& file, const std::string& node) {
    return read_section(
        file, default_policy(), [&node](const std::string& text, const std::string& path) {
            return parse_policy(text, path, node);
        });
}

Result<CostWeights> read_site_weights(const std::string& file) {
    return read_section(file, CostWeights{}, parse_cost_weights);
}

}  // namespace yardmaster::cli
