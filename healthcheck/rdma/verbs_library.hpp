// libibverbs' functions, found at run time. Private to the files verbs_*.cpp: nothing else sees
// verbs.h.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <string>

#include "base/status.hpp"

namespace yardmaster {

/// The functions that a connection needs. Not here: ibv_post_send, ibv_post_recv and ibv_poll_cq,
/// which verbs.h has as inline calls through the context, so that they need no symbol. verbs.h
/// makes macros of ibv_query_port and ibv_reg_mr, whose inline bodies would link the library: the
/// symbols are called instead. ibv_query_port's fills the old, shorter structure, which has all
/// that we look at. The last two may be nullptr.
struct VerbsLibrary {
    VerbsLibrary() = default;
    VerbsLibrary(const VerbsLibrary&) = delete;
    VerbsLibrary& operator=(const VerbsLibrary&) = delete;
    ~VerbsLibrary();

    /// Opens `name` and finds every function. kNotFound with the loader's words.
    Status load(const std::string& name);

    ibv_device** (*get_device_list)(int*) = nullptr;
    void (*free_device_list)(ibv_device**) = nullptr;
    const char* (*get_device_name)(ibv_device*) = nullptr;
    ibv_context* (*open_device)(ibv_device*) = nullptr;
    int (*close_device)(ibv_context*) = nullptr;
    int (*query_device)(ibv_context*, ibv_device_attr*) = nullptr;
    int (*query_port)(ibv_context*, std::uint8_t, _compat_ibv_port_attr*) = nullptr;
    ibv_pd* (*alloc_pd)(ibv_context*) = nullptr;
    int (*dealloc_pd)(ibv_pd*) = nullptr;
    ibv_mr* (*reg_mr)(ibv_pd*, void*, std::size_t, int) = nullptr;
    int (*dereg_mr)(ibv_mr*) = nullptr;
    ibv_cq* (*create_cq)(ibv_context*, int, void*, ibv_comp_channel*, int) = nullptr;
    int (*destroy_cq)(ibv_cq*) = nullptr;
    ibv_qp* (*create_qp)(ibv_pd*, ibv_qp_init_attr*) = nullptr;
    int (*modify_qp)(ibv_qp*, ibv_qp_attr*, int) = nullptr;
    int (*destroy_qp)(ibv_qp*) = nullptr;
    const char* (*wc_status_str)(ibv_wc_status) = nullptr;
    ssize_t (*query_gid_table)(
        ibv_context*, ibv_gid_entry*, std::size_t, std::uint32_t, std::size_t) = nullptr;
    /// From rdma-core 34 on.
    ibv_mr* (*reg_dmabuf_mr)(ibv_pd*, std::uint64_t, std::size_t, std::uint64_t, int, int) =
        nullptr;
    std::uint64_t (*simulated_clock_ns)() = nullptr;  ///< of the fake in tests/sim only

  private:
    void* handle_ = nullptr;
};

/// "ibv_create_qp on mlx5_3: Cannot allocate memory"; `code` is an errno.
std::string verbs_failure(const char* call, const std::string& device, int code);

}  // namespace yardmaster
