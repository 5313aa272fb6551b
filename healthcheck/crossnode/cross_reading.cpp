#include "healthcheck/crossnode/cross_reading.hpp"

namespace yardmaster {
namespace {

constexpr CrossPurpose kPurposes[] = {
    CrossPurpose::kRing, CrossPurpose::kAgain, CrossPurpose::kSender, CrossPurpose::kReceiver};

}  // namespace

std::string port_name(const CrossPort& port) {
    return port.node + " " + port_name(port.port);
}

std::string_view to_string(CrossPurpose purpose) {
    switch (purpose) {
        case CrossPurpose::kRing:
            return "ring";
        case CrossPurpose::kAgain:
            return "again";
        case CrossPurpose::kSender:
            return "sender";
        case CrossPurpose::kReceiver:
            break;
    }
    return "receiver";
}

Result<CrossPurpose> parse_cross_purpose(std::string_view word) {
    for (const CrossPurpose purpose : kPurposes) {
        if (word == to_string(purpose)) {
            return purpose;
        }
    }
    return Status(ErrorCode::kMalformed,
                  "\"" + std::string(word) + "\" is no purpose of a measurement between nodes");
}

}  // namespace yardmaster
