// The CUDA driver as it is installed.
#include <cstdint>
#include <cstdio>

#include "healthcheck/loaded_library.hpp"
#include "healthcheck/nccl/cuda_api.hpp"

namespace yardmaster {
namespace {

using namespace cuda_abi;

constexpr int kNameSize = 256;

/// nullptr for each function that the installed library lacks.
struct CudaFunctions {
    InitFn init = nullptr;
    DriverVersionFn driver_version = nullptr;
    ErrorTextFn error_name = nullptr;
    ErrorTextFn error_string = nullptr;
    DeviceCountFn device_count = nullptr;
    DeviceFn device = nullptr;
    DeviceNameFn device_name = nullptr;
    DeviceUuidFn device_uuid = nullptr;
    RetainFn retain = nullptr;
    ReleaseFn release = nullptr;
    SetCurrentFn set_current = nullptr;
    AllocateFn allocate = nullptr;
    FreeFn free = nullptr;
    CopyToHostFn copy_to_host = nullptr;
    FillFn fill = nullptr;
    StreamCreateFn stream_create = nullptr;
    StreamFn stream_destroy = nullptr;
    StreamFn stream_query = nullptr;
    EventCreateFn event_create = nullptr;
    EventDestroyFn event_destroy = nullptr;
    EventRecordFn event_record = nullptr;
    EventElapsedFn event_elapsed = nullptr;
};

CudaFunctions find_functions(const LoadedLibrary& library) {
    CudaFunctions f;
    library.find("cuInit", f.init);
    library.find("cuDriverGetVersion", f.driver_version);
    library.find("cuGetErrorName", f.error_name);
    library.find("cuGetErrorString", f.error_string);
    library.find("cuDeviceGetCount", f.device_count);
    library.find("cuDeviceGet", f.device);
    library.find("cuDeviceGetName", f.device_name);
    library.find("cuDeviceGetUuid", f.device_uuid);
    library.find("cuDevicePrimaryCtxRetain", f.retain);
    library.find("cuDevicePrimaryCtxRelease_v2", f.release);
    library.find("cuCtxSetCurrent", f.set_current);
    library.find("cuMemAlloc_v2", f.allocate);
    library.find("cuMemFree_v2", f.free);
    library.find("cuMemcpyDtoH_v2", f.copy_to_host);
    library.find("cuMemsetD32Async", f.fill);
    library.find("cuStreamCreate", f.stream_create);
    library.find("cuStreamDestroy_v2", f.stream_destroy);
    library.find("cuStreamQuery", f.stream_query);
    library.find("cuEventCreate", f.event_create);
    library.find("cuEventDestroy_v2", f.event_destroy);
    library.find("cuEventRecord", f.event_record);
    library.find("cuEventElapsedTime", f.event_elapsed);
    return f;
}

template <typename Function, typename... Arguments>
int call(Function function, Arguments... arguments) {
    return function == nullptr ? kNotFound : function(arguments...);
}

/// As NVML writes it: "GPU-" and 8-4-4-4-12 hexadecimal digits.
std::string uuid_text(const Uuid& uuid) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char byte[4];
        std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
        text += i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "";
        text += byte;
    }
    return text;
}

class LoadedCuda : public CudaApi {
  public:
    explicit LoadedCuda(std::string library) : library_(std::move(library)) {}

    Status load() override {
        Status status = library_.load();
        f_ = status ? find_functions(library_) : CudaFunctions{};
        return status;
    }
    int init() override { return call(f_.init, 0u); }
    int driver_version(int& version) override { return call(f_.driver_version, &version); }
    int device_count(int& count) override { return call(f_.device_count, &count); }
    int device_name(int ordinal, std::string& name) override {
        char text[kNameSize] = "";
        const int code = on_device(
            ordinal, [&](Device device) { return call(f_.device_name, text, kNameSize, device); });
        text[kNameSize - 1] = '\0';
        name = code == kSuccess ? text : "";
        return code;
    }
    int device_uuid(int ordinal, std::string& uuid) override {
        Uuid bytes{};
        const int code =
            on_device(ordinal, [&](Device device) { return call(f_.device_uuid, &bytes, device); });
        uuid = code == kSuccess ? uuid_text(bytes) : "";
        return code;
    }
    int retain_context(int ordinal, Context& context) override {
        return on_device(ordinal, [&](Device device) { return call(f_.retain, &context, device); });
    }
    int release_context(int ordinal) override {
        return on_device(ordinal, [&](Device device) { return call(f_.release, device); });
    }
    int set_current(Context context) override { return call(f_.set_current, context); }
    int allocate(std::size_t bytes, Pointer& memory) override {
        return call(f_.allocate, &memory, bytes);
    }
    int free(Pointer memory) override { return call(f_.free, memory); }
    int fill(Pointer memory, std::uint32_t word, std::size_t words, Stream stream) override {
        return call(f_.fill, memory, word, words, stream);
    }
    int copy_to_host(void* host, Pointer memory, std::size_t bytes) override {
        return call(f_.copy_to_host, host, memory, bytes);
    }
    int create_stream(Stream& stream) override {
        return call(f_.stream_create, &stream, kStreamNonBlocking);
    }
    int destroy_stream(Stream stream) override { return call(f_.stream_destroy, stream); }
    int query_stream(Stream stream) override { return call(f_.stream_query, stream); }
    int create_event(Event& event) override { return call(f_.event_create, &event, kEventDefault); }
    int destroy_event(Event event) override { return call(f_.event_destroy, event); }
    int record(Event event, Stream stream) override { return call(f_.event_record, event, stream); }
    int elapsed_ms(Event begin, Event end, float& ms) override {
        return call(f_.event_elapsed, &ms, begin, end);
    }
    std::string describe(int code) override {
        const char* name = nullptr;
        const char* text = nullptr;
        call(f_.error_name, code, &name);
        call(f_.error_string, code, &text);
        return (name != nullptr ? name : "CUDA error") +
               (text != nullptr ? ": " + std::string(text) : "") + " (" + std::to_string(code) +
               ")";
    }

  private:
    template <typename Use>
    int on_device(int ordinal, Use use) {
        Device device = 0;
        const int code = call(f_.device, &device, ordinal);
        return code == kSuccess ? use(device) : code;
    }

    LoadedLibrary library_;
    CudaFunctions f_;
};

}  // namespace

std::unique_ptr<CudaApi> make_cuda(const std::string& library) {
    return std::make_unique<LoadedCuda>(library);
}

}  // namespace yardmaster
