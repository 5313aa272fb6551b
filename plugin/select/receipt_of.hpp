// Receipts of decisions.
#pragma once

#include <string>

#include "plugin/select/decision.hpp"
#include "plugin/select/node_sets.hpp"
#include "topology/receipt.hpp"

namespace yardmaster {

/// The receipt of a job that got `nodes` by `answer`.
Receipt receipt_of(const LoadedFabric& loaded,
                   const NodeMap& map,
                   const NodeSet& nodes,
                   const Demand& demand,
                   const Answer& answer);

/// The receipt of a job that stock placed on `nodes` without the placer, for the reason `why`.
Receipt stock_receipt(const Hints& hints,
                      const NodeSet& nodes,
                      const ym_job_info& info,
                      const std::string& why);

}  // namespace yardmaster
