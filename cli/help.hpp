// What `--help` says below each command's options.
#pragma once

namespace yardmaster::cli {

extern const char* const kMainHelp;
extern const char* const kFabricCheckHelp;
extern const char* const kPlanHelp;
extern const char* const kExplainHelp;
extern const char* const kReplayHelp;
extern const char* const kDrainsHelp;
extern const char* const kCheckHelp;

}  // namespace yardmaster::cli
