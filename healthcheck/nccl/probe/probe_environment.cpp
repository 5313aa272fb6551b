#include "healthcheck/nccl/probe/probe_environment.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "healthcheck/small_file.hpp"

namespace yardmaster {

void set_probe_environment(const std::vector<std::string>& uuids) {
    std::string visible;
    for (const std::string& uuid : uuids) {
        visible += (visible.empty() ? "" : ",") + uuid;
    }
    clearenv();
    setenv("CUDA_VISIBLE_DEVICES", visible.c_str(), 1);
    setenv("NCCL_SOCKET_IFNAME", "lo", 1);
    setenv("NCCL_NET_PLUGIN", "none", 1);
    setenv("NCCL_IB_DISABLE", "1", 1);
    setenv("NCCL_RAS_ENABLE", "0", 1);
    setenv("NCCL_CONF_FILE", "/dev/null", 1);
}

std::string site_conf_fingerprint(const std::string& file) {
    const auto text = read_small_file(file);
    if (!text) {
        return "";
    }
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, 64 bit
    for (const char c : *text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

}  // namespace yardmaster
