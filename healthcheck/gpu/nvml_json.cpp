#include "healthcheck/gpu/nvml_json.hpp"

namespace yardmaster {

JsonValue nvml_to_json(const NvmlNumber& number) {
    return JsonValue::array().append(number.code).append(number.value);
}

Status nvml_from_json(const JsonNode& node, NvmlNumber& number) {
    auto pair = node.elements();
    if (!pair || pair->size() != 2) {
        return node.error("must be [NVML code, value]");
    }
    auto code = (*pair)[0].integer(kNvmlNotRead, 1000000);
    // A number above 2^63 is written negative, with its bits kept.
    auto value = (*pair)[1].integer(std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max());
    if (!code || !value) {
        return node.error("must be [NVML code, value]");
    }
    number = {static_cast<int>(*code), static_cast<std::uint64_t>(*value)};
    return Status::ok();
}

void read_nvml_number(JsonFields& fields, const char* key, NvmlNumber& number) {
    fields.read(key, [&](const JsonNode& node) { return nvml_from_json(node, number); });
}

void read_newer_nvml_number(JsonFields& fields, const char* key, NvmlNumber& number) {
    fields.read_if_there(key, [&](const JsonNode& node) { return nvml_from_json(node, number); });
}

}  // namespace yardmaster
