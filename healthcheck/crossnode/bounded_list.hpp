// Lists in messages of peers that are not trusted.
#pragma once

#include <string>
#include <vector>

#include "healthcheck/json_fields.hpp"

namespace yardmaster {

/// Reads the member `key`, an array of at most `most` elements that `parse(JsonNode, Item&)` reads.
template <typename Item, typename Parse>
void read_bounded(
    JsonFields& fields, const char* key, std::size_t most, std::vector<Item>& items, Parse parse) {
    fields.read(key, [&](const JsonNode& list) {
        const auto elements = list.elements();
        Status status = elements.status();
        if (status && elements->size() > most) {
            return Status(ErrorCode::kMalformed,
                          list.path() + ": has " + std::to_string(elements->size()) +
                              " elements, must have at most " + std::to_string(most));
        }
        for (std::size_t i = 0; status && i < elements->size(); ++i) {
            items.emplace_back();
            status = parse((*elements)[i], items.back());
        }
        return status;
    });
}

}  // namespace yardmaster
