#include "healthcheck/port/address_judge.hpp"

#include <algorithm>

namespace yardmaster {
namespace {

Finding degraded(const PortReading& reading,
                 const char* sign,
                 bool certain,
                 const char* short_text,
                 std::string detail) {
    return {
        "port", reading.device, sign, Verdict::kDegraded, certain, short_text, std::move(detail)};
}

}  // namespace

std::vector<Finding> judge_address(const PortReading& reading) {
    std::vector<Finding> findings;
    const bool ethernet = reading.link_layer == "Ethernet";
    if (reading.gids && reading.gids->empty()) {
        findings.push_back(degraded(
            reading, "port.gid", true, "no GID", "the port is active but all its GIDs are zero"));
    } else if (reading.gids && ethernet &&
               std::none_of(reading.gids->begin(), reading.gids->end(), usable_for_roce)) {
        findings.push_back(degraded(reading,
                                    "port.gid",
                                    false,
                                    "no v2 GID",
                                    "the port has no RoCE v2 GID beside link-local ones: has " +
                                        reading.netdev.value_or("its interface") +
                                        " an IP address?"));
    }
    if (ethernet && reading.operstate == "down") {
        findings.push_back(degraded(
            reading,
            "port.netdev",
            false,
            "if down",
            "the port is active but its interface " + reading.netdev.value_or("?") + " is down"));
    }
    return findings;
}

}  // namespace yardmaster
