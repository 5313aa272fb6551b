#include "plugin/common/watched_file.hpp"

#include <sys/stat.h>

#include "plugin/abi/slurm_abi.h"

namespace yardmaster {
namespace {

/// In the folder of the slurm.conf in force.
std::string path_beside_conf(const std::string& name) {
    const std::string conf = ym_slurm_conf_path();
    const std::size_t slash = conf.rfind('/');
    return (slash == std::string::npos ? std::string("/etc/slurm") : conf.substr(0, slash)) + "/" +
           name;
}

}  // namespace

WatchedFile::Stamp WatchedFile::stamp_of(const std::string& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0
               ? Stamp{found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size, found.st_ino}
               : Stamp{};
}

std::optional<std::string> WatchedFile::changed() {
    const std::time_t generation = ym_conf_generation();
    if (generation_ == generation) {
        return std::nullopt;
    }
    generation_ = generation;
    std::string path = path_beside_conf(name_);
    const Stamp now = stamp_of(path);
    const bool same = stamp_ == now;
    stamp_ = now;
    return same ? std::nullopt : std::optional(std::move(path));
}

}  // namespace yardmaster
