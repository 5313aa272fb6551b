#include "prolog/slurm_conf.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "prolog/conf_lines.hpp"
#include "topology/hostlist.hpp"

namespace yardmaster {
namespace {

/// Files that include one another for ever end here; Slurm itself has no limit.
constexpr int kMaxDepth = 16;

constexpr std::array<std::string_view, 4> kOtherRecords{
    "nodeset", "downnodes", "frontendname", "switchname"};

std::string folder_of(const std::string& file) {
    const auto slash = file.rfind('/');
    return slash == file.npos ? "." : file.substr(0, slash);
}

std::vector<std::string> names_of(const Settings& words, std::string_view key) {
    const auto names = expand_hostlist(words.value_or(key, ""));
    return names ? *names : std::vector<std::string>{};
}

NodeLine node_line(const ConfPairs& pairs, const std::string& place) {
    NodeLine line;
    line.place = place;
    for (const auto& [key, value] : pairs.pairs) {
        line.words.add({key, value, place});
    }
    line.names = names_of(line.words, "nodename");
    line.hosts = names_of(line.words, "nodehostname");
    return line;
}

class Reader {
  public:
    Reader(SlurmConf& conf, const ReadFile& read) : conf_(conf), read_(read) {}

    Status read(const std::string& file, int depth = 0) {
        const auto text = read_(file);
        if (!text) {
            return text.status();
        }
        for (const ConfLine& line : conf_lines(*text)) {
            take(file, line, depth);
        }
        return Status::ok();
    }

  private:
    void take(const std::string& file, const ConfLine& line, int depth) {
        const std::string place = file + ":" + std::to_string(line.number);
        if (is_include(line.text)) {
            include(file, line.text, place, depth);
            return;
        }
        const ConfPairs pairs = conf_pairs(line.text);
        if (!pairs.rest.empty()) {
            conf_.problems.push_back({place, "\"" + pairs.rest + "\" is no Key=Value"});
        }
        if (!pairs.pairs.empty()) {
            keep(pairs, place);
        }
    }

    static bool is_include(const std::string& line) {
        return lower_case(line.substr(0, 7)) == "include" && line.size() > 7 &&
               std::isspace(static_cast<unsigned char>(line[7])) != 0;
    }

    void include(const std::string& file,
                 const std::string& line,
                 const std::string& place,
                 int depth) {
        std::string target = line.substr(line.find_first_not_of(" \t", 7));
        target.erase(std::min(target.find_first_of(" \t"), target.size()));
        if (const auto cluster = target.find("%c"); cluster != target.npos) {
            target.replace(cluster, 2, lower_case(conf_.settings.value_or("ClusterName", "%c")));
        }
        if (!target.starts_with('/')) {
            target = folder_of(file) + "/" + target;
        }
        const Status status = depth < kMaxDepth
                                  ? read(target, depth + 1)
                                  : Status(ErrorCode::kMalformed, "files include one another");
        if (!status) {
            conf_.problems.push_back({place, "Include fails: " + status.message()});
        }
    }

    void keep(const ConfPairs& pairs, const std::string& place) {
        const std::string& first = pairs.pairs.front().first;
        if (first == "nodename") {
            if (pairs.pairs.front().second != "DEFAULT") {
                conf_.nodes.push_back(node_line(pairs, place));
            }
            return;
        }
        if (std::find(kOtherRecords.begin(), kOtherRecords.end(), first) != kOtherRecords.end()) {
            return;
        }
        Settings& target = first == "partitionname" ? conf_.partitions : conf_.settings;
        for (const auto& [key, value] : pairs.pairs) {
            target.add({key, value, place});
        }
    }

    SlurmConf& conf_;
    const ReadFile& read_;
};

}  // namespace

const Setting* Settings::find(std::string_view key) const {
    const std::string wanted = lower_case(key);
    const auto found = std::find_if(
        list_.rbegin(), list_.rend(), [&](const Setting& one) { return one.key == wanted; });
    return found == list_.rend() ? nullptr : &*found;
}

std::vector<Setting> Settings::all(std::string_view key) const {
    const std::string wanted = lower_case(key);
    std::vector<Setting> found;
    std::copy_if(list_.begin(), list_.end(), std::back_inserter(found), [&](const Setting& one) {
        return one.key == wanted;
    });
    return found;
}

std::string Settings::value_or(std::string_view key, std::string_view otherwise) const {
    const Setting* setting = find(key);
    return setting != nullptr ? setting->value : std::string(otherwise);
}

Result<SlurmConf> read_slurm_conf(const std::string& file, const ReadFile& read) {
    SlurmConf conf;
    conf.file = file;
    if (Status status = Reader(conf, read).read(file); !status) {
        return status;
    }
    return conf;
}

Result<std::vector<NodeLine>> read_gres_conf(const std::string& file, const ReadFile& read) {
    const auto text = read(file);
    if (!text) {
        return text.status().code() == ErrorCode::kNotFound
                   ? Result<std::vector<NodeLine>>(std::vector<NodeLine>{})
                   : text.status();
    }
    std::vector<NodeLine> lines;
    for (const ConfLine& line : conf_lines(*text)) {
        lines.push_back(node_line(conf_pairs(line.text), file + ":" + std::to_string(line.number)));
    }
    return lines;
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return result;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto end = std::min(text.find(separator), text.size());
        if (end > 0) {
            parts.emplace_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

bool has_word(std::string_view list, std::string_view word) {
    const auto words = split(list, ',');
    return std::any_of(words.begin(), words.end(), [&](const std::string& one) {
        return lower_case(one) == lower_case(word);
    });
}

}  // namespace yardmaster
