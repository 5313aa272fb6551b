#include "topology/placement_keys.hpp"

namespace yardmaster {
namespace {

using W = CostWeights;

// "The Llama 3 Herd of Models", arXiv 2407.21783: table 3 has the model, table 4 the parallelism.

ConfigTable<W> make_keys() {
    return {
        {"placement.parameters_per_gpu",
         number_key<&W::parameters_per_gpu>(1e3, 1e13),
         "",
         "0.1.0",
         "Parameters of the model on one GPU. Their gradients are what a data-parallel "
         "group reduces in each step, so more of them make the placer weigh its ring more.",
         "Llama 3 405B over tp 8 x pp 16: 405e9 / 128 (arXiv 2407.21783, tables 3 and 4)."},
        {"placement.bytes_per_gradient",
         number_key<&W::bytes_per_gradient>(0.5, 8),
         "bytes",
         "0.1.0",
         "Size of a gradient on the wire: 4 for FP32, 2 for BF16.",
         "FP32, as Llama 3 reduces them (arXiv 2407.21783, section 3.3.2)."},
        {"placement.bytes_per_activation",
         number_key<&W::bytes_per_activation>(0.5, 8),
         "bytes",
         "0.1.0",
         "Size of an activation on the wire: 2 for BF16, 1 for FP8. It scales what tp, cp, ep and "
         "pp "
         "groups send.",
         "BF16, in which Llama 3 405B is trained (arXiv 2407.21783, section 3.3.2)."},
        {"placement.layers_per_stage",
         number_key<&W::layers_per_stage>(0.1, 1e4),
         "layers",
         "0.1.0",
         "Transformer layers on one pipeline stage. Each sends for tp, cp and ep.",
         "126 layers on 16 stages (arXiv 2407.21783, tables 3 and 4)."},
        {"placement.hidden",
         number_key<&W::hidden>(1, 1e7),
         "",
         "0.1.0",
         "The model's dimension: values in one token's activations.",
         "Llama 3 405B (arXiv 2407.21783, table 3)."},
        {"placement.kv_width",
         number_key<&W::kv_width>(1, 1e7),
         "",
         "0.1.0",
         "Values in one token's keys, and in its values: key/value heads x the size of a head. "
         "What "
         "cp groups gather.",
         "8 key/value heads (arXiv 2407.21783, table 3) x 16384 / 128 heads."},
        {"placement.tokens_per_replica",
         number_key<&W::tokens_per_replica>(1, 1e10),
         "tokens",
         "0.1.0",
         "Tokens that one replica sees in one step. More of them make the placer weigh tp, cp, ep "
         "and "
         "pp more against the gradients.",
         "16 sequences of 8192 (arXiv 2407.21783, table 4)."},
        {"placement.experts_per_token",
         number_key<&W::experts_per_token>(0, 1e3),
         "experts",
         "0.1.0",
         "Experts that a token is sent to in every layer of a job with an ep hint.",
         "2 of 8, Mixtral 8x7B (arXiv 2401.04088)."},
        {"placement.tier_crossing",
         number_key<&W::tier_crossing>(0.001, 10),
         "",
         "0.1.0",
         "Time lost on every switch tier that an edge leaves and enters again, as a share of its "
         "time at line rate. It comes on top of the fabric file's oversubscription: flows meet on "
         "uplinks even where these are as wide as the downlinks.",
         "A choice of this project, an eighth: collectives lose up to 17 % when they are spread "
         "over "
         "pods (Arnold, arXiv 2509.15940)."},
        {"placement.pcie_gigabytes_per_s",
         number_key<&W::pcie_gigabytes_per_s>(0.1, 1e4),
         "GB/s",
         "0.1.0",
         "Between GPUs of a node whose type has no `nvlink_gigabytes_per_s`, in one direction.",
         "PCIe 5.0 x16, before encoding: 32 GT/s x 16 lanes / 8."},
        {"placement.default_rail_gbps",
         number_key<&W::default_rail_gbps>(0.1, 1e5),
         "Gb/s",
         "0.1.0",
         "The way out of each GPU of a node whose type has no `rails`.",
         "One NDR InfiniBand port."},
    };
}

}  // namespace

const ConfigTable<CostWeights>& placement_keys() {
    static const ConfigTable<CostWeights> keys = make_keys();
    return keys;
}

}  // namespace yardmaster
