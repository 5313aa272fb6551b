#include "healthcheck/nccl/nccl_fault.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include "healthcheck/nccl/cuda_abi.hpp"

namespace yardmaster {
namespace {

constexpr NcclFault kFaults[] = {NcclFault::kNone,
                                 NcclFault::kAbsent,
                                 NcclFault::kFabricManager,
                                 NcclFault::kNoMemory,
                                 NcclFault::kHung,
                                 NcclFault::kFailed};

std::string lower(std::string_view text) {
    std::string result;
    std::transform(text.begin(), text.end(), std::back_inserter(result), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return result;
}

}  // namespace

std::string_view to_string(NcclFault fault) {
    switch (fault) {
        case NcclFault::kNone:
            return "none";
        case NcclFault::kAbsent:
            return "absent";
        case NcclFault::kFabricManager:
            return "fabric-manager";
        case NcclFault::kNoMemory:
            return "no-memory";
        case NcclFault::kHung:
            return "hung";
        case NcclFault::kFailed:
            break;
    }
    return "failed";
}

Result<NcclFault> parse_nccl_fault(std::string_view word) {
    const auto found = std::find_if(std::begin(kFaults), std::end(kFaults), [&](NcclFault fault) {
        return to_string(fault) == word;
    });
    if (found != std::end(kFaults)) {
        return *found;
    }
    return Status(ErrorCode::kMalformed, "\"" + std::string(word) + "\" is no kind of NCCL fault");
}

NcclFault fault_of_cuda(int code) {
    switch (code) {
        case cuda_abi::kSystemNotReady:
            return NcclFault::kFabricManager;
        case cuda_abi::kOutOfMemory:
            return NcclFault::kNoMemory;
        case cuda_abi::kNotFound:
            return NcclFault::kAbsent;
        default:
            return NcclFault::kFailed;
    }
}

bool tells_of_fabric_manager(std::string_view text) {
    const std::string words = lower(text);
    for (const char* sign : {"nvls", "nvlink sharp", "fabric manager", "not yet initialized"}) {
        if (words.find(sign) != std::string::npos) {
            return true;
        }
    }
    return false;
}

}  // namespace yardmaster
