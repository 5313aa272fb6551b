// A vendor's shared library that is loaded at run time. It stays mapped to the end of the process:
// CUDA's have threads and exit handlers.
#pragma once

#include <string>

#include "base/status.hpp"

namespace yardmaster {

class LoadedLibrary {
  public:
    explicit LoadedLibrary(std::string name) : name_(std::move(name)) {}
    LoadedLibrary(const LoadedLibrary&) = delete;
    LoadedLibrary& operator=(const LoadedLibrary&) = delete;
    ~LoadedLibrary();

    /// kNotFound with the loader's reason.
    Status load();
    /// Sets `function` to the function named `symbol`, to nullptr when the library lacks it.
    template <typename Function>
    void find(const char* symbol, Function& function) const {
        function = reinterpret_cast<Function>(symbol_address(symbol));
    }

  private:
    void* symbol_address(const char* symbol) const;

    std::string name_;
    void* handle_ = nullptr;
};

}  // namespace yardmaster
