// Pieces of the functions that take what a probe or reader says in one line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"

namespace yardmaster {

inline Status take_text(const JsonNode& value, std::string& text) {
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

}  // namespace yardmaster
