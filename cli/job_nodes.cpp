#include "cli/job_nodes.hpp"

#include <algorithm>
#include <unordered_map>

#include "cli/job_id.hpp"

namespace yardmaster::cli {

Result<SlurmJob> find_job(const std::string& text, SlurmClient& slurm) {
    const auto id = parse_job_id(text);
    if (!id) {
        return id.status();
    }
    const auto records = slurm.jobs(id->job);
    if (!records) {
        return records.status();
    }
    return pick_job(*records, *id);
}

void sort_as_in_table(const std::vector<SlurmNode>& cluster, std::vector<std::string>& names) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        places.emplace(cluster[i].name, i);
    }
    const auto place = [&](const std::string& name) {
        const auto found = places.find(name);
        return found != places.end() ? found->second : cluster.size();
    };
    std::stable_sort(names.begin(), names.end(), [&place](const auto& a, const auto& b) {
        return place(a) < place(b);
    });
}

}  // namespace yardmaster::cli
