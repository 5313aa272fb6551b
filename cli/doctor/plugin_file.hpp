// What a Slurm plugin says of itself, read from the file: loading it would run its code, and needs
// symbols that only slurmctld has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.hpp"

namespace yardmaster::cli::doctor {

/// Slurm's number for a version: major, minor and micro, one byte each (slurm_version.h). 22.05.8
/// is 0x160508.
using SlurmVersion = std::uint32_t;

struct PluginFile {
    std::string name;          ///< plugin_name: "Yardmaster: topology-aware placement ..."
    std::string type;          ///< plugin_type: "select/cons_tres"
    SlurmVersion version = 0;  ///< plugin_version
    /// Ours begin with "Yardmaster", or with "yardmaster" where Slurm's macro writes the name.
    bool is_ours() const {
        return name.starts_with("Yardmaster") || name.starts_with("yardmaster");
    }
};

/// Reads the symbols plugin_name, plugin_type and plugin_version from the ELF64 file whose bytes
/// are `content`; `file` stands for it in messages. kMalformed when it is no such file or lacks
/// one.
Result<PluginFile> parse_plugin(std::string_view content, const std::string& file);

/// "22.05.8", with the minor in two digits as Slurm writes it.
std::string version_text(SlurmVersion version);
/// "22.05.8", "slurm 22.05.8" or "slurm-wlm 22.05.8-1": the version that ends the text. kMalformed
/// for any other form.
Result<SlurmVersion> parse_version(std::string_view text);
/// Major and minor alone: all that a SPANK plugin must match (plugin.c, _verify_syms).
constexpr SlurmVersion series_of(SlurmVersion version) {
    return version & 0xffff00;
}

}  // namespace yardmaster::cli::doctor
