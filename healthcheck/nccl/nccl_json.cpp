#include "healthcheck/nccl/nccl_json.hpp"

#include "healthcheck/json_fields.hpp"

namespace yardmaster {
namespace {

JsonValue bandwidth_to_json(const NcclBandwidth& bandwidth) {
    return to_json(bandwidth);
}

JsonValue gpu_to_json(const NcclGpu& gpu) {
    return to_json(gpu);
}

JsonValue baseline_to_json(const NcclBaseline& baseline) {
    return to_json(baseline);
}

Status gpu_from_json(const JsonNode& node, NcclGpu& gpu) {
    JsonFields fields(node);
    fields.string("uuid", gpu.uuid);
    fields.string("name", gpu.name);
    return fields.status();
}

JsonValue attempt_to_json(const NcclAttempt& attempt) {
    return setup_to_json(attempt)
        .set("sizes", json_array_of(attempt.sizes, bandwidth_to_json))
        .set("sums", to_string(attempt.sums))
        .set("sums_detail", attempt.sums_detail)
        .set("fault", to_string(attempt.fault))
        .set("error", attempt.error)
        .set("step", attempt.step)
        .set("ended", attempt.ended);
}

Status sums_from_json(const JsonNode& node, NcclSums& sums) {
    const auto word = node.string();
    for (const NcclSums value : {NcclSums::kNotChecked, NcclSums::kRight, NcclSums::kWrong}) {
        if (word && *word == to_string(value)) {
            sums = value;
            return Status::ok();
        }
    }
    return node.error("must be not-checked, right or wrong");
}

Status fault_from_json(const JsonNode& node, NcclFault& fault) {
    const auto word = node.string();
    const auto parsed = word ? parse_nccl_fault(*word) : Result<NcclFault>(word.status());
    if (parsed) {
        fault = *parsed;
    }
    return parsed.status();
}

void read_sums(JsonFields& fields, NcclAttempt& attempt) {
    fields.read("sums", [&](const JsonNode& node) { return sums_from_json(node, attempt.sums); });
    fields.string("sums_detail", attempt.sums_detail);
}

void read_error(JsonFields& fields, NcclAttempt& attempt) {
    fields.read("fault",
                [&](const JsonNode& node) { return fault_from_json(node, attempt.fault); });
    fields.string("error", attempt.error);
}

Status attempt_from_json(const JsonNode& node, NcclAttempt& attempt) {
    if (Status status = setup_from_json(node, attempt); !status) {
        return status;
    }
    JsonFields fields(node);
    fields.list("sizes", attempt.sizes, [](const JsonNode& value, NcclBandwidth& bandwidth) {
        return from_json(value, bandwidth);
    });
    read_sums(fields, attempt);
    read_error(fields, attempt);
    fields.string("step", attempt.step);
    fields.boolean("ended", attempt.ended);
    return fields.status();
}

/// The lines that tell of an attempt.
Status apply_to_attempt(const std::string& kind, const JsonNode& value, NcclAttempt& attempt) {
    JsonFields fields(value);
    if (kind == "nccl_step") {
        const auto step = value.string();
        attempt.step = step ? *step : "";
        return step.status();
    }
    if (kind == "nccl_setup") {
        return setup_from_json(value, attempt);
    }
    if (kind == "nccl_size") {
        attempt.sizes.emplace_back();
        return from_json(value, attempt.sizes.back());
    }
    if (kind == "nccl_sums") {
        read_sums(fields, attempt);
        return fields.status();
    }
    if (kind == "nccl_error") {
        read_error(fields, attempt);
        return fields.status();
    }
    attempt.ended = kind == "nccl_end";
    return attempt.ended ? Status::ok() : value.error("is of no known kind");
}

}  // namespace

JsonValue to_json(const NcclBandwidth& bandwidth) {
    return JsonValue::object()
        .set("bytes", bandwidth.bytes)
        .set("pass", bandwidth.pass)
        .set("iterations", bandwidth.iterations)
        .set("busbw", json_array_of(bandwidth.busbw));
}

Status from_json(const JsonNode& node, NcclBandwidth& bandwidth) {
    JsonFields fields(node);
    fields.integer("bytes", bandwidth.bytes);
    fields.integer("pass", bandwidth.pass);
    fields.integer("iterations", bandwidth.iterations);
    fields.numbers("busbw", bandwidth.busbw);
    return fields.status() && bandwidth.busbw.empty() ? node.error("has no window")
                                                      : fields.status();
}

JsonValue to_json(const NcclGpu& gpu) {
    return JsonValue::object().set("uuid", gpu.uuid).set("name", gpu.name);
}

JsonValue setup_to_json(const NcclAttempt& attempt) {
    return JsonValue::object()
        .set("cuda", attempt.cuda)
        .set("nccl", attempt.nccl)
        .set("site_conf", attempt.site_conf)
        .set("gpus", json_array_of(attempt.gpus, gpu_to_json))
        .set("context_ms", attempt.context_ms)
        .set("init_ms", attempt.init_ms)
        .set("warning", attempt.warning);
}

Status setup_from_json(const JsonNode& node, NcclAttempt& attempt) {
    JsonFields fields(node);
    fields.string("cuda", attempt.cuda);
    fields.string("nccl", attempt.nccl);
    fields.string("site_conf", attempt.site_conf);
    fields.list("gpus", attempt.gpus, gpu_from_json);
    fields.number("context_ms", attempt.context_ms);
    fields.number("init_ms", attempt.init_ms);
    fields.string("warning", attempt.warning);
    return fields.status();
}

JsonValue to_json(const NcclReading& reading) {
    return JsonValue::object()
        .set("needed", reading.needed)
        .set("not_run", reading.not_run)
        .set("note", reading.note)
        .set("max_loss", reading.max_loss)
        .set("min_share", reading.min_share)
        .set("model", reading.model)
        .set("driver", reading.driver)
        .set("set", reading.set)
        .set("shared_ways", reading.shared_ways)
        .set("uuids", json_array_of(reading.uuids))
        .set("baselines", json_array_of(reading.baselines, baseline_to_json))
        .set("attempts", json_array_of(reading.attempts, attempt_to_json));
}

Status from_json(const JsonNode& node, NcclReading& reading) {
    JsonFields fields(node);
    reading.asked = true;
    fields.boolean("needed", reading.needed);
    fields.string("not_run", reading.not_run);
    fields.string("note", reading.note);
    fields.number("max_loss", reading.max_loss);
    fields.number("min_share", reading.min_share);
    fields.string("model", reading.model);
    fields.string("driver", reading.driver);
    fields.string("set", reading.set);
    fields.boolean("shared_ways", reading.shared_ways);
    fields.strings("uuids", reading.uuids);
    fields.list("baselines", reading.baselines, [](const JsonNode& value, NcclBaseline& baseline) {
        return from_json(value, baseline);
    });
    fields.list("attempts", reading.attempts, attempt_from_json);
    return fields.status();
}

Status apply_nccl_line(const std::string& kind, const JsonNode& value, NcclReading& reading) {
    if (kind == "nccl_baseline") {
        reading.baselines.emplace_back();
        return from_json(value, reading.baselines.back());
    }
    if (kind == "nccl_start") {
        reading.starts.emplace_back();
        return from_json(value, reading.starts.back());
    }
    if (kind == "nccl_note") {
        const auto note = value.string();
        reading.note = note ? *note : "";
        return note.status();
    }
    if (kind == "nccl_probe") {
        reading.attempts.emplace_back();
        return Status::ok();
    }
    if (reading.attempts.empty()) {
        return value.error("came before nccl_probe");
    }
    return apply_to_attempt(kind, value, reading.attempts.back());
}

}  // namespace yardmaster
