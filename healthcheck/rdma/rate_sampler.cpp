#include "healthcheck/rdma/rate_sampler.hpp"

namespace yardmaster {

void RateSampler::add(std::chrono::nanoseconds now, std::size_t bytes) {
    last_ = now;
    if (!begin_) {
        begin_ = now;
        return;
    }
    bytes_ += static_cast<double>(bytes);
    if (now - *begin_ >= window_ && !done()) {
        gbps_.push_back(rate());
        begin_ = now;
        bytes_ = 0;
    }
}

std::vector<double> RateSampler::gbps() const {
    if (gbps_.empty() && begin_ && last_ > *begin_) {
        return {rate()};
    }
    return gbps_;
}

double RateSampler::rate() const {
    constexpr double kBitsPerByte = 8;
    return bytes_ * kBitsPerByte / static_cast<double>((last_ - *begin_).count());
}

}  // namespace yardmaster
