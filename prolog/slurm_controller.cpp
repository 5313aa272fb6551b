#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <cerrno>
#include <csignal>

#include "prolog/controller.hpp"

namespace yardmaster {
namespace {

/// libslurm leaves its error in errno; slurm_get_errno(), which read it, is gone from 24.11.
Status failed(const char* call) {
    const int error = errno;
    return {ErrorCode::kUnavailable, std::string(call) + ": " + slurm_strerror(error)};
}

NodeState state_of(const node_info_t& node) {
    NodeState state;
    state.name = node.name != nullptr ? node.name : "";
    const std::uint32_t base = node.node_state & NODE_STATE_BASE;
    state.out_of_service =
        (node.node_state & (NODE_STATE_DRAIN | NODE_STATE_FAIL)) != 0 || base == NODE_STATE_DOWN;
    state.reason = node.reason != nullptr ? node.reason : "";
    state.reason_time = node.reason_time;
    return state;
}

/// Takes over `message` and frees it.
std::vector<NodeState> states_of(node_info_msg_t* message) {
    std::vector<NodeState> states;
    for (std::uint32_t i = 0; i < message->record_count; ++i) {
        if (message->node_array[i].name != nullptr) {
            states.push_back(state_of(message->node_array[i]));
        }
    }
    slurm_free_node_info_msg(message);
    return states;
}

class SlurmController : public Controller {
  public:
    explicit SlurmController(const std::string& slurm_conf) { slurm_init(slurm_conf.c_str()); }

    Result<NodeState> node(const std::string& name) override {
        node_info_msg_t* message = nullptr;
        // The parameter is not const, but Slurm only copies the name into the message.
        if (slurm_load_node_single(&message, const_cast<char*>(name.c_str()), SHOW_ALL) !=
            SLURM_SUCCESS) {
            return failed("slurm_load_node_single");
        }
        const std::vector<NodeState> states = states_of(message);
        if (states.size() != 1) {
            return Status(ErrorCode::kNotFound, name + ": slurmctld does not know this node");
        }
        return states.front();
    }

    Result<std::vector<NodeState>> nodes() override {
        node_info_msg_t* message = nullptr;
        if (slurm_load_node(0, &message, SHOW_ALL) != SLURM_SUCCESS) {
            return failed("slurm_load_node");
        }
        return states_of(message);
    }

    Status drain(const std::string& name, const std::string& reason) override {
        return update(name, NODE_STATE_DRAIN, reason);
    }

    Status resume(const std::string& name) override { return update(name, NODE_RESUME, ""); }

    Result<GivenBack> give_back(std::uint32_t job, const std::string& note) override {
        const auto flags = requeue_flags();
        if (!flags) {
            return flags.status();
        }
        if (slurm_requeue(job, *flags) == SLURM_SUCCESS) {
            return GivenBack::kRequeued;
        }
        if (errno != ESLURM_BATCH_ONLY && errno != ESLURM_DISABLED) {
            return failed("slurm_requeue");  // e.g. a part of a het job: slurmd knows its leader
        }
        slurm_notify_job(job, const_cast<char*>(note.c_str()));
        if (slurm_kill_job(job, SIGKILL, 0) != SLURM_SUCCESS) {
            return failed("slurm_kill_job");
        }
        return GivenBack::kCancelled;
    }

  private:
    /// The flags that slurmd requeues with after a failed prolog (req.c, _launch_job_fail).
    static Result<std::uint32_t> requeue_flags() {
        slurm_conf_t* conf = nullptr;
        if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS) {
            return failed("slurm_load_ctl_conf");
        }
        const std::string parameters = conf->sched_params != nullptr ? conf->sched_params : "";
        slurm_free_ctl_conf(conf);
        return parameters.find("nohold_on_prolog_fail") != std::string::npos
                   ? std::uint32_t{JOB_PENDING}
                   : std::uint32_t{JOB_REQUEUE_HOLD | JOB_LAUNCH_FAILED};
    }

    static Status update(const std::string& name, std::uint32_t state, const std::string& reason) {
        update_node_msg_t message;
        slurm_init_update_node_msg(&message);
        message.node_names = const_cast<char*>(name.c_str());
        message.node_state = state;
        if (!reason.empty()) {
            message.reason = const_cast<char*>(reason.c_str());
            message.reason_uid = 0;  // the prolog runs as root
        }
        return slurm_update_node(&message) == SLURM_SUCCESS ? Status::ok()
                                                            : failed("slurm_update_node");
    }
};

}  // namespace

std::unique_ptr<Controller> make_slurm_controller(const std::string& slurm_conf) {
    return std::make_unique<SlurmController>(slurm_conf);
}

}  // namespace yardmaster
