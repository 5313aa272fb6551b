#include "plugin/common/fabric_source.hpp"

#include "plugin/common/log.hpp"

namespace yardmaster {

void FabricSource::refresh() {
    const auto file = file_.changed();
    if (!file) {
        return;
    }
    auto loaded = Fabric::load(*file);
    problem_ = loaded.status().message();
    fabric_ = loaded ? std::make_shared<const Fabric>(std::move(loaded).value()) : nullptr;
    tell_log(*file);
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

void FabricSource::look_again() {
    const std::lock_guard lock(mutex_);
    file_.look_again();
}

std::shared_ptr<const Fabric> FabricSource::current() {
    const std::lock_guard lock(mutex_);
    refresh();
    return fabric_;
}

}  // namespace yardmaster
