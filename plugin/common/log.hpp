// slurmctld's log for the C++ above the shim.
#pragma once

#include <string>

#include "plugin/abi/slurm_abi.h"

namespace yardmaster {

inline void log_error(const std::string& text) {
    ym_log(YM_LOG_ERROR, text.c_str());
}
inline void log_info(const std::string& text) {
    ym_log(YM_LOG_INFO, text.c_str());
}

}  // namespace yardmaster
