#include "cli/slurm_client.hpp"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "cli/exit_codes.hpp"
#include "cli/slurm_states.hpp"
#include "prolog/environment.hpp"
#include "topology/hostlist.hpp"

namespace yardmaster::cli {
namespace {

struct NodeMessageDeleter {
    void operator()(node_info_msg_t* message) const { slurm_free_node_info_msg(message); }
};
struct JobMessageDeleter {
    void operator()(job_info_msg_t* message) const { slurm_free_job_info_msg(message); }
};

std::string text(const char* maybe) {
    return maybe != nullptr ? maybe : "";
}

Status controller_error(const std::string& what, const std::string& config_file) {
    const int error = errno;  // where libslurm leaves it
    if (error == ESLURM_INVALID_JOB_ID) {
        return {ErrorCode::kNotFound,
                what + ": slurmctld knows no such job (ended jobs are forgotten after MinJobAge)"};
    }
    return {ErrorCode::kUnavailable,
            what + ": " + slurm_strerror(error) + "; is slurmctld of " + config_file +
                " running and munged up? (scontrol ping)"};
}

SlurmNode convert(const node_info_t& info) {
    SlurmNode node;
    node.name = text(info.name);
    node.state = node_state_text(info.node_state);
    const std::uint32_t base = info.node_state & NODE_STATE_BASE;
    node.busy = base == NODE_STATE_ALLOCATED;
    node.part_used = base == NODE_STATE_MIXED;
    node.drained = (info.node_state & NODE_STATE_DRAIN) != 0;
    node.usable = node_is_usable(info.node_state);
    node.reason = text(info.reason);
    node.reason_time = info.reason_time;
    node.reason_uid = info.reason_uid;
    node.gpus = count_gpus(text(info.gres));
    node.gpus_used = count_gpus(text(info.gres_used));
    node.soft = parse_soft_mark(text(info.extra));
    if (node.soft && !node.soft->in_force(std::time(nullptr))) {
        node.soft.reset();
    }
    return node;
}

std::uint32_t gpus_per_node(const slurm_job_info_t& info) {
    if (info.gres_detail_cnt > 0 && info.gres_detail_str != nullptr) {
        return count_gpus(text(info.gres_detail_str[0]));
    }
    return count_gpus(text(info.tres_per_node));
}

bool uneven_gpus(const slurm_job_info_t& info) {
    for (std::uint32_t i = 1; i < info.gres_detail_cnt && info.gres_detail_str != nullptr; ++i) {
        if (count_gpus(text(info.gres_detail_str[i])) !=
            count_gpus(text(info.gres_detail_str[0]))) {
            return true;
        }
    }
    return false;
}

SlurmJob convert(const slurm_job_info_t& info) {
    SlurmJob job;
    job.id = info.job_id;
    job.array_job = info.array_job_id;
    if (info.array_job_id != 0 && info.array_task_id != NO_VAL) {
        job.array_task = info.array_task_id;
    }
    if (info.het_job_id != 0) {
        job.het_offset = info.het_job_offset;
    }
    job.name = text(info.name);
    job.partition = text(info.partition);
    job.uid = info.user_id;
    job.phase = job_phase(info.job_state);
    job.state = job_state_text(info.job_state);
    job.reason = job_reason_text(info.state_reason);
    job.comment = text(info.comment);
    job.admin_comment = text(info.admin_comment);
    job.features = text(info.features);
    job.start_time = info.start_time;
    job.end_time = info.end_time;
    job.num_nodes = info.num_nodes;
    job.gpus_per_node = gpus_per_node(info);
    job.uneven_gpus = uneven_gpus(info);
    if (auto names = expand_hostlist(text(info.nodes))) {
        job.nodes = *names;
    }
    return job;
}

/// True while libslurm reads its configuration, where its only answer to an error is exit(1):
/// a code that we promise to mean something else.
bool g_reading_config = false;

void exit_unknown_from_slurm_init() {
    if (g_reading_config) {
        _exit(kExitUnknown);
    }
}

class LibslurmClient final : public SlurmClient {
  public:
    LibslurmClient() {
        std::atexit(&exit_unknown_from_slurm_init);
        g_reading_config = true;
        slurm_init(nullptr);
        g_reading_config = false;
    }
    ~LibslurmClient() override { slurm_fini(); }
    LibslurmClient(const LibslurmClient&) = delete;
    LibslurmClient& operator=(const LibslurmClient&) = delete;

    // slurm_init writes the place it chose into the environment (read_config.c, slurm_conf_init).
    std::string config_file() const override { return text(std::getenv("SLURM_CONF")); }

    Result<std::vector<SlurmNode>> nodes() override {
        node_info_msg_t* raw = nullptr;
        if (slurm_load_node(0, &raw, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS) {
            return controller_error("cannot load the nodes", config_file());
        }
        std::unique_ptr<node_info_msg_t, NodeMessageDeleter> message(raw);
        std::vector<SlurmNode> nodes;
        for (std::uint32_t i = 0; i < message->record_count; ++i) {
            if (message->node_array[i].name != nullptr) {  // slots of deleted dynamic nodes
                nodes.push_back(convert(message->node_array[i]));
            }
        }
        return nodes;
    }

    Result<std::vector<SlurmJob>> jobs(std::uint32_t id) override {
        job_info_msg_t* raw = nullptr;
        if (slurm_load_job(&raw, id, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS) {
            return controller_error("job " + std::to_string(id), config_file());
        }
        return convert_all(raw, [](const SlurmJob&) { return true; });
    }

    Result<std::vector<SlurmJob>> jobs_on_nodes() override {
        job_info_msg_t* raw = nullptr;
        if (slurm_load_jobs(0, &raw, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS) {
            return controller_error("cannot load the jobs", config_file());
        }
        return convert_all(raw, [](const SlurmJob& job) {
            const bool completing = job.state.ends_with("+COMPLETING");
            return (job.phase == SlurmJob::Phase::kRunning || completing) && !job.nodes.empty();
        });
    }

    Status undrain(const std::string& node) override {
        update_node_msg_t message;
        slurm_init_update_node_msg(&message);
        message.node_names = const_cast<char*>(node.c_str());  // only read
        message.node_state = NODE_STATE_UNDRAIN;
        return slurm_update_node(&message) == SLURM_SUCCESS
                   ? Status::ok()
                   : controller_error("cannot resume " + node, config_file());
    }

  private:
    /// Takes the message over.
    template <typename Wanted>
    static std::vector<SlurmJob> convert_all(job_info_msg_t* raw, Wanted wanted) {
        std::unique_ptr<job_info_msg_t, JobMessageDeleter> message(raw);
        std::vector<SlurmJob> jobs;
        for (std::uint32_t i = 0; i < message->record_count; ++i) {
            SlurmJob job = convert(message->job_array[i]);
            if (wanted(job)) {
                jobs.push_back(std::move(job));
            }
        }
        return jobs;
    }
};

}  // namespace

Result<std::unique_ptr<SlurmClient>> connect_to_slurm() {
    const char* config = std::getenv("SLURM_CONF");
    // libslurm would look for a missing file for a whole minute (s_p_parse_file).
    if (config != nullptr && access(config, R_OK) != 0) {
        return {ErrorCode::kNotFound,
                std::string("SLURM_CONF names ") + config +
                    ", which cannot be read; set it to this cluster's slurm.conf or unset it"};
    }
    return std::unique_ptr<SlurmClient>(std::make_unique<LibslurmClient>());
}

std::string default_fabric_file() {
    const char* config = std::getenv("SLURM_CONF");
    return config_folder(config != nullptr ? config : kDefaultSlurmConf) + "/fabric.json";
}

}  // namespace yardmaster::cli
