// The weights of the cost model: what the placer believes about jobs and links.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.hpp"

namespace yardmaster {

/// What the placer believes about jobs and links it cannot see into. Plain numbers, so that a site
/// can set them in yardmaster.json; only their proportions move a placement, their size moves
/// predicted seconds. Limits, meanings and the sources of the defaults: placement_keys.cpp.
///
/// The defaults describe a GPU's share of Llama 3 405B as trained on 16,384 GPUs with tp 8, pp 16,
/// dp 128. A share, and not the model, because the model grows with the job while a GPU's memory
/// does not.
struct CostWeights {
    double parameters_per_gpu = 405e9 / (8 * 16);
    double bytes_per_gradient = 4;
    double bytes_per_activation = 2;
    double layers_per_stage = 126.0 / 16;
    double hidden = 16384;
    double kv_width = 8 * 128;
    double tokens_per_replica = 16 * 8192;
    double experts_per_token = 2;

    double tier_crossing = 0.125;
    double pcie_gigabytes_per_s = 64;
    double default_rail_gbps = 400;

    bool operator==(const CostWeights&) const = default;
};

/// Reads yardmaster.json's text; sections of other readers pass, unknown keys are errors. `source`
/// stands for the file in messages. Errors: kMalformed with the place.
Result<CostWeights> parse_cost_weights(std::string_view json, std::string_view source);

/// A weight that is not the default; values as JSON writes them.
struct ChangedWeight {
    std::string key;  ///< "hidden"
    std::string value;
    std::string default_value;
};
/// In the table's order; empty: the defaults.
std::vector<ChangedWeight> changed_weights(const CostWeights& weights);

/// "hidden 8192 (default 16384), kv_width 512 (default 1024)"; "the defaults".
std::string weights_text(const CostWeights& weights);

/// Eight hexadecimal digits that stand for the weights in a receipt; "": the defaults. Weights that
/// agree in twelve digits have one mark.
std::string weights_mark(const CostWeights& weights);

}  // namespace yardmaster
