#include "healthcheck/loaded_library.hpp"

#include <dlfcn.h>

namespace yardmaster {

LoadedLibrary::~LoadedLibrary() {
    if (handle_ != nullptr) {
        dlclose(handle_);
    }
}

Status LoadedLibrary::load() {
    handle_ = dlopen(name_.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle_ == nullptr) {
        const char* reason = dlerror();
        return {ErrorCode::kNotFound, reason != nullptr ? reason : name_ + ": could not be loaded"};
    }
    return Status::ok();
}

void* LoadedLibrary::symbol_address(const char* symbol) const {
    return dlsym(handle_, symbol);
}

}  // namespace yardmaster
