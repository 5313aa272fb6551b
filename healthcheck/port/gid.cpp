#include "healthcheck/port/gid.hpp"

namespace yardmaster {
namespace {

constexpr unsigned kTableSize = 256;  // entries of mlx5's RoCE table; reading ends where they do
constexpr const char* kEmpty = "0000:0000:0000:0000:0000:0000:0000:0000";

}  // namespace

bool usable_for_roce(const GidReading& gid) {
    return gid.type == "RoCE v2" && !gid.gid.starts_with("fe80:");
}

std::optional<std::vector<GidReading>> read_gids(const OpenFolder& port, bool ethernet) {
    std::vector<GidReading> gids;
    for (unsigned index = 0; index < (ethernet ? kTableSize : 1); ++index) {
        const std::string number = std::to_string(index);
        const auto gid = port.read("gids/" + number);
        if (!gid && index == 0) {
            return std::nullopt;
        }
        if (!gid) {
            break;
        }
        if (*gid == kEmpty) {
            continue;
        }
        const auto type = port.read("gid_attrs/types/" + number);
        gids.push_back({index, *gid, type ? *type : ""});
        if (ethernet && usable_for_roce(gids.back())) {
            break;
        }
    }
    return gids;
}

}  // namespace yardmaster
