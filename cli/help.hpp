// What `--help` says below each command's options.
#pragma once

#include "base/variable_text.hpp"

namespace yardmaster::cli {

/// Every environment variable that the command looks up itself.
inline constexpr VariableText kCommandVariables[] = {
    {"SLURM_CONF",
     "slurm.conf; `fabric.json` and `yardmaster.json` are looked for beside it. Not set: "
     "`/etc/slurm/slurm.conf`."},
    {"SLURMD_NODENAME",
     "This node's name, for `yardmaster check`, `recheck` and others; not set: the short host "
     "name."},
    {"PATH", "Where `yardmaster doctor` looks for programs."},
    {"LC_ALL",
     "The first that is set of this, `LC_CTYPE` and `LANG` says whether pictures may be "
     "drawn with UTF-8's lines."},
    {"LC_CTYPE", "See `LC_ALL`."},
    {"LANG", "See `LC_ALL`."},
};

extern const char* const kMainHelp;
extern const char* const kFabricCheckHelp;
extern const char* const kFabricExportHelp;
extern const char* const kPlanHelp;
extern const char* const kExplainHelp;
extern const char* const kRanksHelp;
extern const char* const kFabricStatusHelp;
extern const char* const kReplayHelp;
extern const char* const kDrainsHelp;
extern const char* const kCheckHelp;
extern const char* const kRecheckHelp;
extern const char* const kResumeHelp;
extern const char* const kEvidenceHelp;
extern const char* const kReplayEvidenceHelp;
extern const char* const kJournalHelp;
extern const char* const kDoctorHelp;

}  // namespace yardmaster::cli
