#include "plugin/select/weights_source.hpp"

#include "base/site_file.hpp"
#include "plugin/common/log.hpp"

namespace yardmaster {
namespace {

Result<CostWeights> load_weights(const std::string& file) {
    const auto text = read_site_file(file);
    if (text) {
        return parse_cost_weights(*text, file);
    }
    return text.status().code() == ErrorCode::kNotFound ? Result<CostWeights>(CostWeights{})
                                                        : text.status();
}

std::string in_words(const CostWeights& weights) {
    const std::string mark = weights_mark(weights);
    return mark.empty() ? weights_text(weights) : mark + ": " + weights_text(weights);
}

}  // namespace

const CostWeights& WeightsSource::current() {
    if (const auto file = file_.changed()) {
        const auto loaded = load_weights(*file);
        if (loaded) {
            take(*file, *loaded);
        } else {
            log_error("select: weights not taken, " + in_words(weights_) +
                      " stay in force: " + loaded.status().message() +
                      " (mend it, see `yardmaster doctor`, then `scontrol reconfigure`)");
        }
    }
    return weights_;
}

void WeightsSource::take(const std::string& file, const CostWeights& weights) {
    if (weights != weights_) {
        log_info("select: weights of " + file + " in force: " + in_words(weights));
    }
    weights_ = weights;
}

}  // namespace yardmaster
