#include <charconv>
#include <string_view>

#include "cli/slurm_client.hpp"

namespace yardmaster::cli {
namespace {

/// The count in one entry, "gpu:h100:8(IDX:0-7)" -> 8; without a number Slurm means 1.
std::uint32_t entry_count(std::string_view entry) {
    const std::string_view plain = entry.substr(0, entry.find('('));
    const std::size_t colon = plain.rfind(':');
    if (colon == plain.npos) {
        return 1;
    }
    const std::string_view digits = plain.substr(colon + 1);
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), count);
    return error == std::errc() && end == digits.end() ? count : 1;
}

bool is_gpu(std::string_view entry) {
    return entry == "gpu" || entry.starts_with("gpu:") || entry.starts_with("gpu(");
}

}  // namespace

std::uint32_t count_gpus(const std::string& gres) {
    std::uint32_t total = 0;
    std::size_t begin = 0;
    int depth = 0;  // commas inside "(IDX:0-1,4)" separate nothing
    for (std::size_t i = 0; i <= gres.size(); ++i) {
        const char c = i < gres.size() ? gres[i] : ',';
        depth += (c == '(') - (c == ')');
        if (c != ',' || (depth > 0 && i < gres.size())) {
            continue;
        }
        std::string_view entry = std::string_view(gres).substr(begin, i - begin);
        begin = i + 1;
        // 22.05 writes a job's wish as "gres:gpu:8", 23.11 and later as "gres/gpu:8".
        if (entry.starts_with("gres:") || entry.starts_with("gres/")) {
            entry.remove_prefix(5);
        }
        total += is_gpu(entry) ? entry_count(entry) : 0;
    }
    return total;
}

}  // namespace yardmaster::cli
