// The only place that loads libibverbs.
#include "healthcheck/rdma/verbs_library.hpp"

#include <dlfcn.h>

#include <cstring>

namespace yardmaster {
namespace {

/// Finds functions; remembers the first that is not there.
class Finder {
  public:
    explicit Finder(void* handle) : handle_(handle) {}

    template <typename Function>
    void optional(const char* symbol, Function& function) {
        function = reinterpret_cast<Function>(dlsym(handle_, symbol));
    }
    template <typename Function>
    void needed(const char* symbol, Function& function) {
        optional(symbol, function);
        if (function == nullptr && missing_.empty()) {
            missing_ = symbol;
        }
    }
    const std::string& missing() const { return missing_; }

  private:
    void* handle_;
    std::string missing_;
};

}  // namespace

VerbsLibrary::~VerbsLibrary() {
    if (handle_ != nullptr) {
        dlclose(handle_);
    }
}

Status VerbsLibrary::load(const std::string& name) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
        const char* reason = dlerror();
        return {ErrorCode::kNotFound, reason != nullptr ? reason : name + " could not be loaded"};
    }
    Finder find(handle_);
    find.needed("ibv_get_device_list", get_device_list);
    find.needed("ibv_free_device_list", free_device_list);
    find.needed("ibv_get_device_name", get_device_name);
    find.needed("ibv_open_device", open_device);
    find.needed("ibv_close_device", close_device);
    find.needed("ibv_query_device", query_device);
    find.needed("ibv_query_port", query_port);
    find.needed("ibv_alloc_pd", alloc_pd);
    find.needed("ibv_dealloc_pd", dealloc_pd);
    find.needed("ibv_reg_mr", reg_mr);
    find.needed("ibv_dereg_mr", dereg_mr);
    find.needed("ibv_create_cq", create_cq);
    find.needed("ibv_destroy_cq", destroy_cq);
    find.needed("ibv_create_qp", create_qp);
    find.needed("ibv_modify_qp", modify_qp);
    find.needed("ibv_destroy_qp", destroy_qp);
    find.needed("ibv_wc_status_str", wc_status_str);
    find.needed("_ibv_query_gid_table", query_gid_table);  // rdma-core 32, 2020
    find.optional("ibv_reg_dmabuf_mr", reg_dmabuf_mr);     // rdma-core 34
    find.optional("ym_simulated_clock_ns", simulated_clock_ns);
    return find.missing().empty()
               ? Status::ok()
               : Status(ErrorCode::kNotFound,
                        name + " has no " + find.missing() + ": rdma-core 32 or later is needed");
}

std::string verbs_failure(const char* call, const std::string& device, int code) {
    return std::string(call) + " on " + device + ": " + std::strerror(code);
}

}  // namespace yardmaster
