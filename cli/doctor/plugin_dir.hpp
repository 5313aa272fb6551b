// PluginDir's folders, and which of them are Slurm's and ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/doctor/case.hpp"
#include "cli/doctor/plugin_file.hpp"

namespace yardmaster::cli::doctor {

inline constexpr const char* kSelectFile = "select_cons_tres.so";
inline constexpr const char* kJobSubmitFile = "job_submit_yardmaster.so";
inline constexpr const char* kSpankFile = "spank_yardmaster.so";

/// The folders of PluginDir=, in order; empty when it is not set.
std::vector<std::string> plugin_folders(const Case& examined);

/// Whether `folder` is Slurm's own: it holds plugins that every Slurm has and that are not ours.
bool is_slurms_own(const Host& host, const std::string& folder);

/// What `file` says of itself; errors as read_text and parse_plugin.
Result<PluginFile> read_plugin(const Host& host, const std::string& file);

}  // namespace yardmaster::cli::doctor
