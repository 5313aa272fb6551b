#include "healthcheck/rdma/rdma_plan.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace yardmaster {
namespace {

constexpr std::size_t kLongestName = 63;  // IB_DEVICE_NAME_MAX is 64 with its end
constexpr unsigned kHighestPort = 255;

bool is_device_name(const std::string& name) {
    return !name.empty() && name.size() <= kLongestName && name.front() != '.' &&
           name.front() != '-' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
               return std::isalnum(c) || c == '_' || c == '-' || c == '.';
           });
}

bool shares_port(const RdmaPair& a, const RdmaPair& b) {
    return a.from == b.from || a.from == b.to || a.to == b.from || a.to == b.to;
}

}  // namespace

std::string port_name(const RdmaPort& port) {
    return port.port == 1 ? port.device : port.device + ":" + std::to_string(port.port);
}

std::string pair_name(const RdmaPair& pair) {
    return port_name(pair.from) + ">" + port_name(pair.to);
}

Result<RdmaPort> parse_rdma_port(const std::string& text) {
    RdmaPort port;
    const auto colon = text.find(':');
    port.device = text.substr(0, colon);
    bool good = is_device_name(port.device);
    if (good && colon != std::string::npos) {
        const char* end = text.data() + text.size();
        const auto parsed = std::from_chars(text.data() + colon + 1, end, port.port);
        good = parsed.ec == std::errc() && parsed.ptr == end && port.port >= 1 &&
               port.port <= kHighestPort;
    }
    return good ? Result<RdmaPort>(std::move(port))
                : Status(ErrorCode::kInvalidArgument,
                         "\"" + text.substr(0, 80) +
                             "\" is no RDMA port: must be a device with or without a port number, "
                             "mlx5_3 or mlx5_3:2");
}

std::vector<RdmaPair> ring_of(const std::vector<RdmaPort>& ports) {
    std::vector<RdmaPair> pairs;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        pairs.push_back({ports[i], ports[(i + 1) % ports.size()]});
    }
    return pairs;
}

std::vector<std::vector<RdmaPair>> rounds_of(const std::vector<RdmaPair>& pairs) {
    std::vector<std::vector<RdmaPair>> rounds;
    for (const RdmaPair& pair : pairs) {
        const auto free = std::find_if(rounds.begin(), rounds.end(), [&](const auto& round) {
            return std::none_of(round.begin(), round.end(), [&](const RdmaPair& other) {
                return shares_port(pair, other);
            });
        });
        if (free == rounds.end()) {
            rounds.push_back({pair});
        } else {
            free->push_back(pair);
        }
    }
    return rounds;
}

}  // namespace yardmaster
