#include "healthcheck/crossnode/cross_line.hpp"

#include "healthcheck/crossnode/cross_json.hpp"
#include "healthcheck/reading_line.hpp"

namespace yardmaster {

Status apply_cross_line(const std::string& kind, const JsonNode& value, CrossReading& reading) {
    if (kind == "cross_edge") {
        return take_element(value, reading.edges);
    }
    if (kind == "cross_peer") {
        return take_element(value, reading.peers);
    }
    if (kind == "cross_step") {
        return take_text(value, reading.step);
    }
    if (kind == "cross_error") {
        return take_text(value, reading.error);
    }
    if (kind == "cross_not_run") {
        return take_text(value, reading.not_run);
    }
    if (kind == "cross_end") {
        reading.ended = true;
        return Status::ok();
    }
    return kind == "cross_probe" ? Status::ok() : value.error("is of no known kind");
}

}  // namespace yardmaster
