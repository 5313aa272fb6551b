#include "healthcheck/rdma/rdma_json.hpp"
#include "healthcheck/reading_line.hpp"

namespace yardmaster {
Status apply_rdma_line(const std::string& kind, const JsonNode& value, RdmaReading& reading) {
    if (kind == "rdma_pair") {
        return take_element(value, reading.pairs);
    }
    if (kind == "rdma_baseline") {
        return take_element(value, reading.baseline);
    }
    if (kind == "rdma_step") {
        return take_text(value, reading.step);
    }
    if (kind == "rdma_error") {
        return take_text(value, reading.not_run);
    }
    if (kind == "rdma_note") {
        return take_text(value, reading.note);
    }
    if (kind == "rdma_end") {
        reading.ended = true;
        return Status::ok();
    }
    return kind == "rdma_probe" ? Status::ok() : value.error("is of no known kind");
}

}  // namespace yardmaster
