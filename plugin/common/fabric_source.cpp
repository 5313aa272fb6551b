#include "plugin/common/fabric_source.hpp"

#include <sys/stat.h>

#include "plugin/common/log.hpp"

namespace yardmaster {

std::string fabric_file_path() {
    const std::string conf = ym_slurm_conf_path();
    const std::size_t slash = conf.rfind('/');
    return (slash == std::string::npos ? std::string("/etc/slurm") : conf.substr(0, slash)) +
           "/fabric.json";
}

bool FabricSource::file_changed(const std::string& file) {
    struct stat found {};
    Stamp now;
    if (stat(file.c_str(), &found) == 0) {
        now = {found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_size, found.st_ino};
    }
    const bool changed = !ever_read_ || !(now == stamp_);
    stamp_ = now;
    ever_read_ = true;
    return changed;
}

void FabricSource::refresh() {
    const std::time_t generation = ym_conf_generation();
    if (ever_read_ && generation == generation_) {
        return;
    }
    generation_ = generation;
    const std::string file = fabric_file_path();
    if (!file_changed(file)) {
        return;
    }
    auto loaded = Fabric::load(file);
    problem_ = loaded.status().message();
    fabric_ = loaded ? std::make_shared<const Fabric>(std::move(loaded).value()) : nullptr;
    tell_log(file);
}

void FabricSource::tell_log(const std::string& file) const {
    if (tell_ == Tell::kNobody) {
        return;
    }
    if (!fabric_) {
        log_error(
            "no usable fabric file, so jobs are placed as stock Slurm does and jobs with hard "
            "hints wait: " +
            problem_ + " (mend it, see `yardmaster fabric check`, then `scontrol reconfigure`)");
        return;
    }
    const Fabric& fabric = *fabric_;
    log_info(file + ": " + std::to_string(fabric.nodes().size()) + " nodes in " +
             std::to_string(fabric.domains().size()) + " NVLink domains under " +
             std::to_string(fabric.units().size()) + " switch units");
}

std::shared_ptr<const Fabric> FabricSource::current() {
    const std::lock_guard lock(mutex_);
    refresh();
    return fabric_;
}

}  // namespace yardmaster
