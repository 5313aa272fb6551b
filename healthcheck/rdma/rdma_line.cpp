#include "healthcheck/json_fields.hpp"
#include "healthcheck/rdma/rdma_json.hpp"

namespace yardmaster {
namespace {

Status take_text(const JsonNode& value, std::string& text) {
    auto taken = value.string();
    if (taken) {
        text = std::move(taken).value();
    }
    return taken.status();
}

/// Reads one more element; it stays away when it cannot be read.
template <typename Element>
Status take_element(const JsonNode& value, std::vector<Element>& elements) {
    Element element;
    Status status = from_json(value, element);
    if (status) {
        elements.push_back(std::move(element));
    }
    return status;
}

}  // namespace

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
