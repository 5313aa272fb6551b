// A simulated node "n0" and the files of a site around it, for the yardmaster-prolog program.
#pragma once

#include <string>
#include <vector>

#include "tests/healthcheck/scratch_folder.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::testing {

class PrologSite {
  public:
    PrologSite() : node_(folder_ / "n0") {
        created_ = node_.create(sim::default_settings());
        write_policy("");
        write_file(folder_ / "etc/fabric.json", R"({
            "version": 1,
            "node_types": {"h100": {"gpus": 8, "rails": [
                {"nic": "mlx5_0", "gbps": 400}, {"nic": "mlx5_1", "gbps": 400},
                {"nic": "mlx5_2", "gbps": 400}, {"nic": "mlx5_3", "gbps": 400},
                {"nic": "mlx5_4", "gbps": 400}, {"nic": "mlx5_5", "gbps": 400},
                {"nic": "mlx5_6", "gbps": 400}, {"nic": "mlx5_7", "gbps": 400}]}},
            "nodes": {"n[0-3]": "h100"}})");
    }
    const Status& created() const { return created_; }

    /// `more` is put into the health object: "\"enforce\": false, ".
    void write_policy(const std::string& more) {
        write_file(folder_ / "etc/yardmaster.json",
                   "{\"health\": {" + more + "\"sysfs_root\": \"" + folder_.path() +
                       "/%n/sys\", \"nvml_library\": \"" + folder_.path() +
                       "/%n/nvml/libnvidia-ml.so.1\", \"evidence_dir\": \"" + kept_in_ +
                       "/evidence\", \"state_dir\": \"" + kept_in_ + "/state\", \"journal\": \"" +
                       kept_in_ + "/journal.jsonl\"}}");
    }
    /// Keys for `more` that have both probes, or stand-ins for them, run over simulated devices.
    std::string probes(const std::string& mode,
                       const std::string& rdma,
                       const std::string& nccl) const {
        return "\"rdma\": {\"mode\": \"" + mode + "\", \"probe\": \"" + rdma +
               "\", \"library\": \"" + node_.verbs_library() + "\"}, \"nccl\": {\"mode\": \"" +
               mode + "\", \"probe\": \"" + nccl + "\", \"library\": \"" + node_.nccl_library() +
               "\", \"cuda_library\": \"" + node_.cuda_library() + "\"}, ";
    }
    /// What slurmd would set.
    std::vector<std::string> variables(const std::string& gpus = "0,1,2,3,4,5,6,7") const {
        return {"SLURM_JOB_ID=12",
                "SLURMD_NODENAME=n0",
                "SLURM_CONF=" + (folder_ / "etc/slurm.conf"),
                "SLURM_JOB_GPUS=" + gpus};
    }

    ScratchFolder folder_;
    std::string kept_in_ = folder_ / "n0";  ///< folder of evidence, state and journal
    sim::SimNode node_;

  private:
    Status created_;
};

}  // namespace yardmaster::testing
