// What kept the NCCL probe from measuring, as a kind.
#pragma once

#include <string_view>

#include "base/status.hpp"

namespace yardmaster {

enum class NcclFault {
    kNone,
    kAbsent,         ///< a library is not there, or has not what is needed
    kFabricManager,  ///< NVSwitches are not set up: CUDA error 802, NVLS errors
    kNoMemory,       ///< the GPUs' memory is taken
    kHung,           ///< something did not come back in time
    kFailed,         ///< anything else
};

/// "none", "absent", "fabric-manager", "no-memory", "hung", "failed".
std::string_view to_string(NcclFault fault);
/// kMalformed for any other word.
Result<NcclFault> parse_nccl_fault(std::string_view word);

/// The kind of a failed driver call (CUresult).
NcclFault fault_of_cuda(int code);

/// Whether a text of NCCL tells of NVSwitches that are not set up rather than of a slow link: it
/// names NVLS, NVLink SHARP, the fabric manager, or CUDA's "system not yet initialized".
bool tells_of_fabric_manager(std::string_view text);

}  // namespace yardmaster
