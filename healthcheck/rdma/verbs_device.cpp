#include <algorithm>
#include <cerrno>

#include "healthcheck/rdma/verbs_connection.hpp"

namespace yardmaster {
namespace {

constexpr std::size_t kMostGids = 1024;  // mlx5 has 256 a port

class OpenDevice : public VerbsDevice {
  public:
    OpenDevice(const VerbsLibrary& library, std::string name, ibv_context* context)
        : library_(library), name_(std::move(name)), context_(context) {}
    OpenDevice(const OpenDevice&) = delete;
    OpenDevice& operator=(const OpenDevice&) = delete;
    ~OpenDevice() override { library_.close_device(context_); }

    std::string firmware() override {
        ibv_device_attr facts{};
        if (library_.query_device(context_, &facts) != 0) {
            return "";
        }
        facts.fw_ver[sizeof facts.fw_ver - 1] = '\0';
        return facts.fw_ver;
    }

    Result<VerbsPort> port(unsigned port) override {
        ibv_port_attr facts{};
        const int code = library_.query_port(context_,
                                             static_cast<std::uint8_t>(port),
                                             reinterpret_cast<_compat_ibv_port_attr*>(&facts));
        if (code != 0) {
            return Status(ErrorCode::kUnavailable, verbs_failure("ibv_query_port", name_, code));
        }
        VerbsPort result;
        result.active = facts.state == IBV_PORT_ACTIVE;
        result.ethernet = facts.link_layer == IBV_LINK_LAYER_ETHERNET;
        result.grh_required = (facts.flags & IBV_QPF_GRH_REQUIRED) != 0;
        result.lid = facts.lid;
        result.mtu_bytes = 128U << facts.active_mtu;
        return result;
    }

    Result<std::vector<GidEntry>> gids(unsigned port) override {
        std::vector<ibv_gid_entry> table(kMostGids);
        const ssize_t count =
            library_.query_gid_table(context_, table.data(), table.size(), 0, sizeof table[0]);
        if (count < 0) {
            return Status(ErrorCode::kUnavailable,
                          verbs_failure("ibv_query_gid_table", name_, static_cast<int>(-count)));
        }
        std::vector<GidEntry> entries;
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            if (table[i].port_num == port) {
                GidEntry entry{table[i].gid_index, static_cast<GidType>(table[i].gid_type), {}};
                std::copy_n(table[i].gid.raw, entry.gid.size(), entry.gid.begin());
                entries.push_back(entry);
            }
        }
        return entries;
    }

    Result<std::unique_ptr<VerbsConnection>> connection(const ConnectionRequest& r) override {
        return make_connection(library_, context_, name_, r);
    }

  private:
    const VerbsLibrary& library_;
    std::string name_;
    ibv_context* context_;
};

/// ibv_get_device_list's array, freed at its end; an opened device outlives it.
class DeviceList {
  public:
    explicit DeviceList(const VerbsLibrary& library)
        : library_(library), list_(library.get_device_list(&count_)) {}
    DeviceList(const DeviceList&) = delete;
    DeviceList& operator=(const DeviceList&) = delete;
    ~DeviceList() {
        if (list_ != nullptr) {
            library_.free_device_list(list_);
        }
    }
    bool valid() const { return list_ != nullptr; }
    std::span<ibv_device*> all() const { return {list_, static_cast<std::size_t>(count_)}; }

  private:
    const VerbsLibrary& library_;
    int count_ = 0;
    ibv_device** list_;
};

class LoadedVerbs : public VerbsApi {
  public:
    explicit LoadedVerbs(std::string name) : name_(std::move(name)) {}

    Status init() override { return library_.load(name_); }

    Result<std::vector<std::string>> devices() override {
        const DeviceList list(library_);
        if (!list.valid()) {
            return no_list();
        }
        std::vector<std::string> names;
        for (ibv_device* device : list.all()) {
            names.emplace_back(library_.get_device_name(device));
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    Result<std::unique_ptr<VerbsDevice>> open(const std::string& name) override {
        const DeviceList list(library_);
        if (!list.valid()) {
            return no_list();
        }
        for (ibv_device* device : list.all()) {
            if (name == library_.get_device_name(device)) {
                return open(name, device);
            }
        }
        return Status(ErrorCode::kNotFound, name + ": libibverbs lists no such device");
    }

    std::string status_text(int wc_status) override {
        return library_.wc_status_str(static_cast<ibv_wc_status>(wc_status));
    }

    std::chrono::nanoseconds now() override {
        return library_.simulated_clock_ns != nullptr
                   ? std::chrono::nanoseconds(library_.simulated_clock_ns())
                   : std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch());
    }

  private:
    static Status no_list() {
        return {ErrorCode::kUnavailable, verbs_failure("ibv_get_device_list", "this node", errno)};
    }

    Result<std::unique_ptr<VerbsDevice>> open(const std::string& name, ibv_device* device) {
        ibv_context* context = library_.open_device(device);
        if (context == nullptr) {
            return Status(ErrorCode::kUnavailable, verbs_failure("ibv_open_device", name, errno));
        }
        return std::unique_ptr<VerbsDevice>(std::make_unique<OpenDevice>(library_, name, context));
    }

    std::string name_;
    VerbsLibrary library_;
};

}  // namespace

std::unique_ptr<VerbsApi> make_verbs(const std::string& library) {
    return std::make_unique<LoadedVerbs>(library);
}

}  // namespace yardmaster
