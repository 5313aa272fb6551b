#include "topology/rank_sheet.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "topology/hostlist.hpp"

namespace yardmaster {
namespace {

constexpr std::string_view kNone = "-";
constexpr std::uint32_t kMaxGpus = 64;  // as in fabric files
constexpr std::size_t kMaxNodes = 65536;

bool is_plain(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return c > ' ' && c < 0x7f && c != ',' && c != '/' && c != '=';
    });
}

std::string nic_word(const std::string& nic) {
    return nic.empty() || !is_plain(nic) ? std::string(kNone) : nic;
}

std::string nic_of_word(std::string_view word) {
    return word == kNone ? std::string() : std::string(word);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::optional<std::uint32_t> number_of(std::string_view text, std::uint32_t most) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && number <= most ? std::optional(number) : std::nullopt;
}

Status bad_word(std::string_view key, std::string_view value) {
    return {ErrorCode::kMalformed,
            "rank sheet: " + std::string(key) + "=" + std::string(value.substr(0, 60)) +
                " cannot be read"};
}

Status read_order(std::string_view value, RankSheet& sheet) {
    for (const RankOrder order : {RankOrder::kSlurm, RankOrder::kDomain}) {
        if (value == to_string(order)) {
            sheet.order = order;
            return Status::ok();
        }
    }
    return bad_word("order", value);
}

Status read_nodes(std::string_view value, RankSheet& sheet) {
    auto names = expand_hostlist(value, kMaxNodes);
    if (!names || names->empty()) {
        return bad_word("nodes", value);
    }
    sheet.nodes = std::move(names).value();
    auto sorted = sheet.nodes;
    std::sort(sorted.begin(), sorted.end());
    const bool twice = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    return twice ? bad_word("nodes", value) : Status::ok();
}

Status read_gpus(std::string_view value, RankSheet& sheet) {
    const auto gpus = number_of(value, kMaxGpus);
    sheet.gpus_per_node = gpus.value_or(0);
    return gpus ? Status::ok() : bad_word("gpus", value);
}

Status read_uneven(std::string_view value, RankSheet& sheet) {
    sheet.uneven = value == "yes";
    return sheet.uneven ? Status::ok() : bad_word("uneven", value);
}

Status read_hints(std::string_view value, RankSheet& sheet) {
    auto hints = parse_hints(value);
    if (!hints) {
        return bad_word("hints", value);
    }
    sheet.hints = *hints;
    return Status::ok();
}

Status read_rails(std::string_view value, RankSheet& sheet) {
    for (const std::string_view word : split(value, ',')) {
        sheet.rails.push_back(nic_of_word(word));
    }
    return sheet.rails.size() <= kMaxGpus ? Status::ok() : bad_word("rails", value);
}

Status read_differences(std::string_view value, RankSheet& sheet) {
    for (const std::string_view word : split(value, ',')) {
        const auto parts = split(word, '/');
        const auto gpu = parts.size() == 3 ? number_of(parts[1], kMaxGpus - 1) : std::nullopt;
        if (!gpu) {
            return bad_word("but", word);
        }
        sheet.differences.push_back({std::string(parts[0]), *gpu, nic_of_word(parts[2])});
    }
    return Status::ok();
}

using Reader = Status (*)(std::string_view, RankSheet&);
const std::map<std::string_view, Reader> kReaders = {{"order", &read_order},
                                                     {"nodes", &read_nodes},
                                                     {"gpus", &read_gpus},
                                                     {"uneven", &read_uneven},
                                                     {"hints", &read_hints},
                                                     {"rails", &read_rails},
                                                     {"but", &read_differences}};

Result<RankSheet> parse_words(std::string_view line, bool with_nodes) {
    RankSheet sheet;
    for (const std::string_view word : split(line, ' ')) {
        const std::size_t equals = word.find('=');
        const auto reader = kReaders.find(word.substr(0, std::min(equals, word.size())));
        if (equals == word.npos || reader == kReaders.end()) {
            return Status(
                ErrorCode::kMalformed,
                "rank sheet: \"" + std::string(word.substr(0, 60)) +
                    "\" is no word of it; is the plugin on the node as new as slurmctld's?");
        }
        if (!with_nodes && reader->first == "nodes") {
            continue;
        }
        if (Status status = reader->second(word.substr(equals + 1), sheet); !status) {
            return status;
        }
    }
    return sheet;
}

std::string rails_words(const RankSheet& sheet) {
    std::string text;
    for (const std::string& nic : sheet.rails) {
        text += (text.empty() ? " rails=" : ",") + nic_word(nic);
    }
    std::string but;
    for (const RailDifference& difference : sheet.differences) {
        but += (but.empty() ? " but=" : ",") + difference.node + "/" +
               std::to_string(difference.gpu) + "/" + nic_word(difference.nic);
    }
    return text + but;
}

}  // namespace

std::string_view to_string(RankOrder order) {
    return order == RankOrder::kDomain ? "domain" : "slurm";
}

std::optional<std::string> RankSheet::nic(std::string_view node, std::uint32_t gpu) const {
    for (const RailDifference& difference : differences) {
        if (difference.node == node && difference.gpu == gpu) {
            return difference.nic.empty() ? std::nullopt : std::optional(difference.nic);
        }
    }
    return gpu < rails.size() && !rails[gpu].empty() ? std::optional(rails[gpu]) : std::nullopt;
}

std::string format_rank_sheet(const RankSheet& sheet) {
    std::string line = "order=" + std::string(to_string(sheet.order)) +
                       " gpus=" + std::to_string(sheet.gpus_per_node);
    if (sheet.uneven) {
        line += " uneven=yes";
    }
    if (!sheet.hints.empty()) {
        line += " hints=" + sheet.hints.to_string();
    }
    return line + rails_words(sheet) + " nodes=" + compress_hostlist(sheet.nodes);
}

Result<RankSheet> parse_rank_sheet_head(std::string_view line) {
    return parse_words(line, false);
}

std::string_view rank_sheet_nodes(std::string_view line) {
    constexpr std::string_view kKey = "nodes=";
    for (const std::string_view word : split(line, ' ')) {
        if (word.starts_with(kKey)) {
            return word.substr(kKey.size());
        }
    }
    return "";
}

Result<RankSheet> parse_rank_sheet(std::string_view line) {
    auto sheet = parse_words(line, true);
    if (sheet && sheet->nodes.empty()) {
        return Status(ErrorCode::kMalformed, "rank sheet: it names no nodes");
    }
    return sheet;
}

}  // namespace yardmaster
