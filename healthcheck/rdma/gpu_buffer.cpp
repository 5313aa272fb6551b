#include "healthcheck/rdma/gpu_buffer.hpp"

namespace yardmaster {

Result<std::unique_ptr<RdmaBuffer>> make_gpu_buffer(const std::string&,
                                                    const std::string&,
                                                    std::size_t) {
    return Status(ErrorCode::kUnavailable, "not built");
}

}  // namespace yardmaster
