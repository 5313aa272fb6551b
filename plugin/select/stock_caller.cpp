#include "plugin/select/stock_caller.hpp"

namespace yardmaster {
StockCaller::StockCaller(const ym_job_test& test, const NodeSet& offered)
    : test_(test), offered_(offered), marks_(test.job), code_(ym_code_nodes_busy()) {}

int StockCaller::call(ym_job_test test, bool with_preemptees) {
    ++calls_;
    test.now_only = now_only_;
    code_ = ym_call_stock(&test, with_preemptees);
    if (code_ != 0) {
        marks_.restore();
    }
    return code_;
}

bool StockCaller::accepts(const NodeSet& nodes,
                          bool with_preemptees,
                          bool exact,
                          const std::vector<GpuMask>& keep) {
    ym_job_test narrow = test_;
    if (exact) {
        const auto count = static_cast<std::uint32_t>(nodes.size());
        narrow.min_nodes = narrow.max_nodes = narrow.req_nodes = count;
    }
    assign(test_.bitmap, nodes);
    const HiddenGpus hidden(nodes, keep);
    return call(narrow, with_preemptees) == 0;
}

int StockCaller::ask_freely(bool with_preemptees) {
    assign(test_.bitmap, offered_);
    return call(test_, with_preemptees);
}

NodeSet StockCaller::kept() const {
    return nodes_of(test_.bitmap);
}

}  // namespace yardmaster
