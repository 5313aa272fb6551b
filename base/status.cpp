#include "base/status.hpp"

namespace yardmaster {

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::kOk:
            return "ok";
        case ErrorCode::kInvalidArgument:
            return "invalid argument";
        case ErrorCode::kMalformed:
            return "malformed";
        case ErrorCode::kUnsupported:
            return "unsupported";
        case ErrorCode::kNotFound:
            return "not found";
        case ErrorCode::kUnreadable:
            return "unreadable";
        case ErrorCode::kInfeasible:
            return "infeasible";
        case ErrorCode::kUnavailable:
            return "unavailable";
        case ErrorCode::kTimeout:
            return "timeout";
        case ErrorCode::kInternal:
            return "internal error";
    }
    return "unknown";
}

Status Status::with_context(std::string_view prefix) const {
    if (is_ok()) {
        return *this;
    }
    return {code_, std::string(prefix) + ": " + message_};
}

}  // namespace yardmaster
