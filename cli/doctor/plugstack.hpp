// plugstack.conf: the SPANK plugins of a host, by Slurm's rules (plugstack.c).
#pragma once

#include <string>
#include <vector>

#include "base/status.hpp"
#include "cli/doctor/case.hpp"

namespace yardmaster::cli::doctor {

/// A line that names a plugin.
struct PlugstackLine {
    std::string kind;   ///< "required" or "optional"; Slurm ignores a line that begins otherwise
    std::string file;   ///< as written; without a leading slash it is looked for in PluginDir
    std::string place;  ///< "/etc/slurm/plugstack.conf:3"
};

/// PlugStackConfig=, or the file beside slurm.conf.
std::string plugstack_file(const Case& examined);

/// The lines of `file` and what it includes, in order; an absent file has none. Errors as
/// read_text.
Result<std::vector<PlugstackLine>> read_plugstack(const Host& host, const std::string& file);

/// The lines that name spank_yardmaster.so; none either where the file cannot be read.
std::vector<PlugstackLine> our_plugstack_lines(const Case& examined);

/// The file that Slurm loads for a line; as written where PluginDir does not have it.
std::string plugin_of(const Case& examined, const PlugstackLine& line);

}  // namespace yardmaster::cli::doctor
