// slurm.conf, read without libslurm: that ends the process over a file it does not like, and doctor
// is called just then.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

/// One Key=Value, with where it stands.
struct Setting {
    std::string key;  ///< in lower case: Slurm's keys have none
    std::string value;
    std::string place;  ///< "/etc/slurm/slurm.conf:12"
};

/// Settings in the order of the file. Slurm takes the last of a key, except for keys that may be
/// given several times.
class Settings {
  public:
    void add(Setting setting) { list_.push_back(std::move(setting)); }
    /// The last one with this key, in any case; nullptr when there is none. Borrowed.
    const Setting* find(std::string_view key) const;
    std::vector<Setting> all(std::string_view key) const;
    /// The value, or `otherwise` where the key is not set.
    std::string value_or(std::string_view key, std::string_view otherwise) const;

  private:
    std::vector<Setting> list_;
};

/// The nodes of one NodeName line (slurm.conf) or one line about a device (gres.conf).
struct NodeLine {
    std::vector<std::string> names;  ///< expanded; empty in gres.conf: every node
    std::vector<std::string> hosts;  ///< NodeHostname=, [as names]; empty: the same as `names`
    Settings words;                  ///< all of the line: "gres", "file", ...
    std::string place;
};

/// A line that Slurm would not take, or a file that cannot be had.
struct ConfProblem {
    std::string place;
    std::string text;
};

struct SlurmConf {
    std::string file;
    Settings settings;            ///< without the lines about nodes, partitions and the like
    std::vector<NodeLine> nodes;  ///< NodeName=DEFAULT left out
    Settings partitions;          ///< every word of every PartitionName line
    std::vector<ConfProblem> problems;
};

/// Returns a file's content; errors as read_config_file.
using ReadFile = std::function<Result<std::string>(const std::string& file)>;

/// Reads `file` and what it includes, by Slurm's rules (parse_config.c: comments, escapes,
/// continued lines, quotes, Include with %c). Faults become `problems`; an error only when `file`
/// itself cannot be read.
Result<SlurmConf> read_slurm_conf(const std::string& file, const ReadFile& read);

/// The same for a file whose every line is about nodes and devices: gres.conf. An absent file has
/// no lines.
Result<std::vector<NodeLine>> read_gres_conf(const std::string& file, const ReadFile& read);

/// Whether the comma-separated `list` has `word`, in any case.
bool has_word(std::string_view list, std::string_view word);
std::vector<std::string> split(std::string_view text, char separator);
std::string lower_case(std::string_view text);

}  // namespace yardmaster
