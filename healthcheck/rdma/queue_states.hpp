// What ibv_modify_qp is asked for on the way from RESET to RTS. Private to the files verbs_*.cpp.
#pragma once

#include <infiniband/verbs.h>

#include "healthcheck/rdma/verbs_api.hpp"

namespace yardmaster {

struct QueueWish {
    ibv_qp_attr attributes{};
    int mask = 0;      ///< which of them count: enum ibv_qp_attr_mask
    const char* what;  ///< for messages
};

inline constexpr int kRdmaAccess = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;

QueueWish wish_for_init(const ConnectionRequest& request);
QueueWish wish_for_rtr(const ConnectionRequest& request,
                       const RdmaAddress& own,
                       const RdmaAddress& peer,
                       const RdmaPatience& patience);
QueueWish wish_for_rts(const RdmaAddress& own, const RdmaPatience& patience);

}  // namespace yardmaster
