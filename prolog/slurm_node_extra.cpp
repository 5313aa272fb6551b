#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <cerrno>

#include "prolog/node_extra.hpp"

namespace yardmaster {
namespace {

Status extra_failed(const char* call) {
    const int error = errno;  // where libslurm leaves it
    return {ErrorCode::kUnavailable, std::string(call) + ": " + slurm_strerror(error)};
}

class SlurmNodeExtra : public NodeExtra {
  public:
    explicit SlurmNodeExtra(const std::string& slurm_conf) { slurm_init(slurm_conf.c_str()); }

    Result<std::string> read(const std::string& node) override {
        node_info_msg_t* message = nullptr;
        // The parameter is not const, but Slurm only copies the name into the message.
        if (slurm_load_node_single(&message, const_cast<char*>(node.c_str()), SHOW_ALL) !=
            SLURM_SUCCESS) {
            return extra_failed("slurm_load_node_single");
        }
        const bool one = message->record_count == 1 && message->node_array[0].name != nullptr;
        const char* extra = one ? message->node_array[0].extra : nullptr;
        const std::string text = extra != nullptr ? extra : "";
        slurm_free_node_info_msg(message);
        return one ? Result<std::string>(text)
                   : Status(ErrorCode::kNotFound, node + ": slurmctld does not know this node");
    }

    Status write(const std::string& node, const std::string& extra) override {
        update_node_msg_t message;
        slurm_init_update_node_msg(&message);
        message.node_names = const_cast<char*>(node.c_str());
        message.extra = const_cast<char*>(extra.c_str());
        return slurm_update_node(&message) == SLURM_SUCCESS ? Status::ok()
                                                            : extra_failed("slurm_update_node");
    }
};

}  // namespace

std::unique_ptr<NodeExtra> make_slurm_node_extra(const std::string& slurm_conf) {
    return std::make_unique<SlurmNodeExtra>(slurm_conf);
}

}  // namespace yardmaster
