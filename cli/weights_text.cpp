#include "cli/weights_text.hpp"

#include <cstdlib>

namespace yardmaster::cli {

void print_weights(const CostWeights& weights, std::ostream& out) {
    if (!changed_weights(weights).empty()) {
        out << "Weights: " << weights_text(weights) << '\n';
    }
}

JsonValue weights_to_json(const CostWeights& weights) {
    JsonValue json = JsonValue::object();
    for (const ChangedWeight& weight : changed_weights(weights)) {
        json.set(weight.key.c_str(), std::strtod(weight.value.c_str(), nullptr));
    }
    return json;
}

}  // namespace yardmaster::cli
