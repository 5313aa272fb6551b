// NCCL as it is installed.
#include <numeric>

#include "healthcheck/loaded_library.hpp"
#include "healthcheck/nccl/nccl_api.hpp"

namespace yardmaster {
namespace {

using namespace nccl_abi;

/// nullptr for each function that the installed library lacks.
struct NcclFunctions {
    VersionFn version = nullptr;
    ErrorStringFn error_string = nullptr;
    LastErrorFn last_error = nullptr;
    InitAllFn init_all = nullptr;
    CommFn destroy = nullptr;
    AsyncErrorFn async_error = nullptr;
    GroupFn group_start = nullptr;
    GroupFn group_end = nullptr;
    AllReduceFn all_reduce = nullptr;
};

NcclFunctions find_functions(const LoadedLibrary& library) {
    NcclFunctions f;
    library.find("ncclGetVersion", f.version);
    library.find("ncclGetErrorString", f.error_string);
    library.find("ncclGetLastError", f.last_error);
    library.find("ncclCommInitAll", f.init_all);
    library.find("ncclCommDestroy", f.destroy);
    library.find("ncclCommGetAsyncError", f.async_error);
    library.find("ncclGroupStart", f.group_start);
    library.find("ncclGroupEnd", f.group_end);
    library.find("ncclAllReduce", f.all_reduce);
    return f;
}

template <typename Function, typename... Arguments>
int call(Function function, Arguments... arguments) {
    return function == nullptr ? kSystemError : function(arguments...);
}

class LoadedNccl : public NcclApi {
  public:
    explicit LoadedNccl(std::string library) : library_(std::move(library)) {}

    Status load() override {
        Status status = library_.load();
        f_ = status ? find_functions(library_) : NcclFunctions{};
        return status;
    }
    int version(int& code) override { return call(f_.version, &code); }
    int init_all(int ranks, std::vector<Comm>& comms) override {
        std::vector<int> devices(static_cast<std::size_t>(ranks));
        std::iota(devices.begin(), devices.end(), 0);
        comms.assign(devices.size(), nullptr);
        const int code = call(f_.init_all, comms.data(), ranks, devices.data());
        if (code != kSuccess) {
            comms.clear();  // ncclCommInitAll gives none back when it fails
        }
        return code;
    }
    int destroy(Comm comm) override { return call(f_.destroy, comm); }
    int async_error(Comm comm, int& error) override { return call(f_.async_error, comm, &error); }
    int group_start() override { return call(f_.group_start); }
    int group_end() override { return call(f_.group_end); }
    int all_reduce(cuda_abi::Pointer send,
                   cuda_abi::Pointer receive,
                   std::size_t count,
                   Comm comm,
                   cuda_abi::Stream stream) override {
        return call(f_.all_reduce,
                    reinterpret_cast<const void*>(send),
                    reinterpret_cast<void*>(receive),
                    count,
                    kFloat32,
                    kSum,
                    comm,
                    stream);
    }
    std::string last_error() override {
        const char* text = f_.last_error == nullptr ? nullptr : f_.last_error(nullptr);
        return text == nullptr ? "" : text;
    }
    std::string describe(int code) override {
        const char* text = f_.error_string == nullptr ? nullptr : f_.error_string(code);
        return (text == nullptr ? "NCCL error" : text) + (" (" + std::to_string(code) + ")");
    }

  private:
    LoadedLibrary library_;
    NcclFunctions f_;
};

}  // namespace

std::unique_ptr<NcclApi> make_nccl(const std::string& library) {
    return std::make_unique<LoadedNccl>(library);
}

std::string nccl_version_text(int code) {
    const int major_unit = code >= 10000 ? 10000 : 1000;  // 2.9.6 is 20906, 2.8.4 is 2804
    const int major = code / major_unit;
    const int minor = code % major_unit / 100;
    const int patch = code % 100;
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace yardmaster
