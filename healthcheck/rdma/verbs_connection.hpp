// A queue pair with all that it hangs on. Private to the files verbs_*.cpp.
#pragma once

#include <memory>

#include "healthcheck/rdma/verbs_api.hpp"
#include "healthcheck/rdma/verbs_library.hpp"

namespace yardmaster {

/// Makes a connection on an open device; what was made so far is given back on an error.
Result<std::unique_ptr<VerbsConnection>> make_connection(const VerbsLibrary& library,
                                                         ibv_context* context,
                                                         const std::string& device,
                                                         const ConnectionRequest& request);

}  // namespace yardmaster
