#include "prolog/policy_keys.hpp"

namespace yardmaster {
namespace {

using H = HealthPolicy;
using B = BreakerPolicy;
using F = SoftPolicy;
using L = CounterLimits;
using S = CheckSources;
using R = RdmaPolicy;
using N = NcclPolicy;
using X = CrossPolicy;

// More nodes than a cluster has; catches a slipped digit.
constexpr double kMaxNodes = 1000000;
constexpr double kMaxRate = 1e12;
constexpr double kMostMeeting = 4096;
constexpr double kHighestPort = 65535;
constexpr double kMostPorts = 10000;
constexpr std::string_view kSentinel =
    "Default of NVIDIA NVSentinel's NIC health monitor (\"Link Counter Detection\").";
constexpr std::string_view kHealthWatch =
    "NVIDIA DCGM's health watches (`dcgm_gpu_hardware_limits.h`)";
constexpr double kYear = 31536000;  // seconds

/// Whether an active check runs: "auto", "on" or "off".
template <auto First, auto... Rest>
auto mode_key() {
    using config_detail::at;
    return ConfigField<H>{
        "text",
        "auto, on or off",
        [](const JsonNode& node, const std::string&, H& policy) {
            const auto word = node.string();
            const auto mode = word ? parse_check_mode(*word) : std::nullopt;
            if (mode) {
                at<First, Rest...>(policy) = *mode;
            }
            return mode ? Status::ok() : node.error("must be auto, on or off");
        },
        [](const H& policy) {
            return config_detail::quoted(std::string(to_string(at<First, Rest...>(policy))));
        }};
}

/// node_exporter reads no file of another name.
ConfigField<H> prometheus_key() {
    ConfigField<H> field = text_key<&H::prometheus_file>(TextRule::kAbsolutePath);
    field.limits += " that ends in .prom";
    field.read = [read = field.read](const JsonNode& value, const std::string& node, H& policy) {
        if (Status status = read(value, node, policy); !status) {
            return status;
        }
        return policy.prometheus_file.ends_with(".prom") ? Status::ok()
                                                         : value.error("must end in .prom");
    };
    return field;
}

ConfigTable<H> make_keys() {
    return {
        {"health.enforce",
         flag_key<&H::enforce>(),
         "",
         "0.1.0",
         "`false`: report only. Evidence and log as always, but no drain, and every job starts. "
         "A good first week.",
         ""},
        {"health.deadline_s",
         number_key<&H::deadline>(0.5, 600),
         "s",
         "0.1.0",
         "How long the whole prolog may take. The checks get 65 % of it, a drain ends at 85 %.",
         "`srun` tells its user \"Prolog hung\" after 8 s."},
        {"health.evidence_dir",
         text_key<&H::evidence_dir>(TextRule::kAbsolutePath),
         "",
         "0.1.0",
         "Where each node keeps its evidence; made with mode 0700 when missing. One file for each "
         "drain or unknown verdict, mode 0600; the newest 1000 are kept. `%n` stands for the "
         "node's name.",
         ""},
        {"health.journal",
         text_key<&H::journal>(TextRule::kAbsolutePath),
         "",
         "0.1.0",
         "The node's incident journal, one JSON line for each verdict that is not healthy, each "
         "re-check and each resume; mode 0600. At 4 MiB it becomes `<name>.1` and a new one is "
         "begun. `%n` stands for the node's name.",
         ""},
        {"health.prometheus_file",
         prometheus_key(),
         "",
         "0.1.0",
         "Counters for node_exporter's textfile collector, written at every check. Off when not "
         "set; the folder must be there. `%n` stands for the node's name.",
         ""},
        {"health.state_dir",
         text_key<&H::sources, &S::state_dir>(TextRule::kAbsolutePath),
         "",
         "0.1.0",
         "Where each node keeps what the next check compares with, such as the counters of this "
         "boot; made with mode 0700 when missing. It may be removed at any time: the next check "
         "starts anew. `%n` stands for the node's name.",
         ""},
        {"health.counters.window_s",
         number_key<&H::counters, &L::window>(1, kYear),
         "s",
         "0.1.0",
         "Growth of error counters is judged over at least this long, and each port's baseline is "
         "renewed when it is older.",
         "NVIDIA's ibdiagnet manual, \"Bit Error Rate\": 5 to 10 minutes between reset and look."},
        {"health.counters.symbol_ber",
         number_key<&H::counters, &L::symbol_ber>(0, 1),
         "errors per bit",
         "0.1.0",
         "`symbol_error` may grow by this share of the bits at line rate.",
         "InfiniBand Architecture Specification, volume 2, and ibdiagnet's default: 1e-12."},
        {"health.counters.recoveries_per_minute",
         number_key<&H::counters, &L::recoveries_per_minute>(0, kMaxRate),
         "per minute",
         "0.1.0",
         "`link_error_recovery` may grow by this.",
         kSentinel},
        {"health.counters.receive_errors_per_s",
         number_key<&H::counters, &L::receive_errors_per_s>(0, kMaxRate),
         "per second",
         "0.1.0",
         "`port_rcv_errors` may grow by this.",
         kSentinel},
        {"health.counters.ack_timeouts_per_s",
         number_key<&H::counters, &L::ack_timeouts_per_s>(0, kMaxRate),
         "per second",
         "0.1.0",
         "`local_ack_timeout_err` may grow by this.",
         kSentinel},
        {"health.counters.retransmissions_per_s",
         number_key<&H::counters, &L::retransmissions_per_s>(0, kMaxRate),
         "per second",
         "0.1.0",
         "`packet_seq_err`, `out_of_sequence` and `roce_adp_retrans` may each grow by this. "
         "Adaptive "
         "routing makes some.",
         kSentinel},
        {"health.counters.pcie_ber",
         number_key<&H::counters, &L::pcie_ber>(0, 1),
         "errors per bit",
         "0.1.0",
         "Correctable PCIe errors may grow by this share of the bits that the link could carry; of "
         "the others none may come.",
         "PCI Express Base Specification: a lane's bit error rate stays below 1e-12."},
        {"health.counters.pcie_replays_per_minute",
         number_key<&H::counters, &L::pcie_replays_per_minute>(0, kMaxRate),
         "per minute",
         "0.1.0",
         "NVML's count of a GPU's PCIe replays may grow by this.",
         kHealthWatch},
        {"health.counters.nvlink_crc_per_s",
         number_key<&H::counters, &L::nvlink_crc_per_s>(0, kMaxRate),
         "per second",
         "0.1.0",
         "CRC errors of an NVLink (up to Hopper) may grow by this.",
         kHealthWatch},
        {"health.counters.nvlink_errors_per_minute",
         number_key<&H::counters, &L::nvlink_errors_per_minute>(0, kMaxRate),
         "per minute",
         "0.1.0",
         "Each other error count of an NVLink, such as replays, recoveries and receive errors, may "
         "grow by this; of recoveries that failed none may come.",
         kHealthWatch},
        {"health.wiring",
         flag_key<&H::wiring>(),
         "",
         "0.1.0",
         "`false`: do not compare which NIC is nearest to each GPU with the fabric file. For nodes "
         "whose rails are not the nearest NICs by design.",
         ""},
        {"health.proven_for_s",
         number_key<&H::sources, &S::proven_for>(0, kYear),
         "s",
         "0.1.0",
         "How long a pass of the RDMA or NCCL check stands for the next ones: while it is not "
         "older, and no error counter of these ports or GPUs has moved since, in the same boot and "
         "with the same driver, the check is not run again, and a note says so. 0: never. A check "
         "whose mode is `on` always runs.",
         "A choice of this project: some load an hour, none before every short job."},
        {"health.breaker.max_drains",
         number_key<&H::breaker, &B::max_drains>(0, kMaxNodes),
         "nodes",
         "0.1.0",
         "No further drain while this many *other* nodes stand drained by Yardmaster within the "
         "window. 0: never drain.",
         "A choice of this project, small beside a leaf group of 16 to 32 nodes."},
        {"health.breaker.max_same_cause",
         number_key<&H::breaker, &B::max_same_cause>(0, kMaxNodes),
         "nodes",
         "0.1.0",
         "The same, counting only drains with the same cause (`mlx5_3 down`): then it is a switch, "
         "not the nodes.",
         "A choice of this project, small beside a leaf group of 16 to 32 nodes."},
        {"health.breaker.max_job_drains",
         number_key<&H::breaker, &B::max_job_drains>(0, kMaxNodes),
         "nodes",
         "0.1.0",
         "No further drain by a job that was restarted (`SLURM_JOB_RESTART_COUNT`) and of which "
         "this many nodes stand drained, at any time.",
         "A choice of this project: a job that poisons its nodes drains one at each requeue."},
        {"health.breaker.window_s",
         number_key<&H::breaker, &B::window>(1, kYear),
         "s",
         "0.1.0",
         "The length of the window.",
         "A choice of this project: time enough for somebody to look."},
        {"health.soft.enable",
         flag_key<&H::soft, &F::enable>(),
         "",
         "0.1.0",
         "`true`: a node with findings that do not drain it bears a mark in its `Extra`, and the "
         "placer prefers others among equals. Not with `enforce: false`.",
         ""},
        {"health.soft.clear_after_s",
         number_key<&H::soft, &F::clear_after>(60, kYear),
         "s",
         "0.1.0",
         "How long such a mark counts. A further finding renews it when half of this is over; then "
         "clean checks take it back.",
         "A choice of this project: a day of jobs shows whether a link that flapped does so "
         "again."},
        {"health.rdma.mode",
         mode_key<&H::sources, &S::rdma, &R::mode>(),
         "",
         "0.1.0",
         "Whether write bandwidth is measured over the job's rails: `auto` where it can be, with a "
         "note in the evidence where not; `on`: not measured is an unknown finding; `off`.",
         ""},
        {"health.rdma.max_loss",
         number_key<&H::sources, &S::rdma, &R::max_loss>(0.02, 0.9),
         "",
         "0.1.0",
         "Degraded: a pair of rails lost this share of its usual bandwidth, twice.",
         "Half of the 15 % that shall be found; calculation in rdma.md."},
        {"health.rdma.min_share",
         number_key<&H::sources, &S::rdma, &R::min_share>(0.05, 1),
         "",
         "0.1.0",
         "Degraded before a pair has a usual bandwidth: less than this share of what its ports' "
         "rate "
         "carries, twice, while another pair of the node does better.",
         "HDR reaches 97 % and NDR 99 % with large writes; calculation in rdma.md."},
        {"health.rdma.gpu_memory",
         flag_key<&H::sources, &S::rdma, &R::gpu_memory>(),
         "",
         "0.1.0",
         "`true`: data lie in GPU memory where nvidia-peermem or dma-buf is there. It takes "
         "longer, "
         "as each GPU must be opened.",
         ""},
        {"health.rdma.cuda_library",
         text_key<&H::sources, &S::rdma, &R::cuda_library>(TextRule::kNotEmpty),
         "",
         "0.1.0",
         "The CUDA driver for `gpu_memory`, as a name or a path for `dlopen`. `%n` stands for the "
         "node's name.",
         ""},
        {"health.rdma.traffic_class",
         number_key<&H::sources, &S::rdma, &R::traffic_class>(0, 255),
         "",
         "0.1.0",
         "RoCE: the traffic class (DSCP and ECN byte) that the site's lossless queue wants, as "
         "`NCCL_IB_TC`.",
         "The default, 0, is NCCL's and the drivers'."},
        {"health.rdma.library",
         text_key<&H::sources, &S::rdma, &R::library>(TextRule::kNotEmpty),
         "",
         "0.1.0",
         "libibverbs, as a name or a path for `dlopen`. `%n` stands for the node's name.",
         ""},
        {"health.rdma.probe",
         text_key<&H::sources, &S::rdma, &R::probe>(TextRule::kAbsolutePath),
         "",
         "0.1.0",
         "The program that measures. `%n` stands for the node's name.",
         ""},
        {"health.crossnode.mode",
         mode_key<&H::sources, &S::crossnode, &X::mode>(),
         "",
         "0.1.0",
         "Whether the prologs of a job of several nodes measure the rails between the nodes: "
         "`auto` where they can, with a note in the evidence where not; `on`: also above "
         "`max_nodes`, and not measured is an unknown finding; `off`.",
         ""},
        {"health.crossnode.max_nodes",
         number_key<&H::sources, &S::crossnode, &X::max_nodes>(2, kMostMeeting),
         "nodes",
         "0.1.0",
         "With `auto`, jobs of more nodes are left out.",
         "A choice of this project: the first node serves the meeting, which takes it longer with "
         "each."},
        {"health.crossnode.first_port",
         number_key<&H::sources, &S::crossnode, &X::first_port>(1, kHighestPort),
         "",
         "0.1.0",
         "TCP port of the meeting on the job's first node, plus the job id modulo `ports`. "
         "Firewalls "
         "between nodes must let these through.",
         "Above Slurm's own ports, 6817 to 6820."},
        {"health.crossnode.ports",
         number_key<&H::sources, &S::crossnode, &X::ports>(1, kMostPorts),
         "ports",
         "0.1.0",
         "How many ports there are, so that jobs that begin together do not meet on one.",
         "A choice of this project."},
        {"health.crossnode.meet_s",
         number_key<&H::sources, &S::crossnode, &X::meet>(0.1, 60),
         "s",
         "0.1.0",
         "How long the nodes wait for each other. Who has not come by then is unknown.",
         "Prologs begin within milliseconds of each other; a second look at one takes a second."},
        {"health.crossnode.max_loss",
         number_key<&H::sources, &S::crossnode, &X::max_loss>(0.05, 0.9),
         "",
         "0.1.0",
         "Degraded: a port lacks this share of what the median of all edges carries, by two nodes' "
         "word, inside a leaf group.",
         "A choice of this project: more than `rdma.max_loss`, since other jobs share the fabric."},
        {"health.crossnode.probe",
         text_key<&H::sources, &S::crossnode, &X::probe>(TextRule::kAbsolutePath),
         "",
         "0.1.0",
         "The program that measures. `%n` stands for the node's name.",
         ""},
        {"health.crossnode.munge_library",
         text_key<&H::sources, &S::crossnode, &X::munge_library>(TextRule::kNotEmpty),
         "",
         "0.1.0",
         "libmunge, as a name or a path for `dlopen`. Where munged's socket is says `AuthInfo` in "
         "slurm.conf.",
         ""},
        {"health.nccl.mode",
         mode_key<&H::sources, &S::nccl, &N::mode>(),
         "",
         "0.1.0",
         "Whether NCCL's all-reduce is measured over the job's GPUs, where it has two or more: "
         "`auto` where libcuda and libnccl are, with a note in the evidence where not; `on`: not "
         "measured is an unknown finding; `off`.",
         ""},
        {"health.nccl.max_init_s",
         number_key<&H::sources, &S::nccl, &N::max_init>(0.5, 300),
         "s",
         "0.1.0",
         "Contexts and communicators that take longer are given up; that is an unknown finding.",
         "Eight GPUs take 2.3 to 3.7 s, a first run on a node up to 50 s; the prolog has 4.8 s."},
        {"health.nccl.max_loss",
         number_key<&H::sources, &S::nccl, &N::max_loss>(0.02, 0.9),
         "",
         "0.1.0",
         "Degraded: all-reduce lost this share of its usual bandwidth, twice.",
         "Half of the 15 % that shall be found; calculation in nccl.md."},
        {"health.nccl.min_share",
         number_key<&H::sources, &S::nccl, &N::min_share>(0, 1),
         "",
         "0.1.0",
         "Suspicious before there is a usual bandwidth: less than this share of public figures. 0: "
         "never.",
         "Public figures of one GPU model differ by a third with its settings (nccl.md)."},
        {"health.nccl.library",
         text_key<&H::sources, &S::nccl, &N::library>(TextRule::kNotEmpty),
         "",
         "0.1.0",
         "NCCL, as a name or a path for `dlopen`. `%n` stands for the node's name.",
         ""},
        {"health.nccl.cuda_library",
         text_key<&H::sources, &S::nccl, &N::cuda_library>(TextRule::kNotEmpty),
         "",
         "0.1.0",
         "The CUDA driver, as a name or a path for `dlopen`. `%n` stands for the node's name.",
         ""},
        {"health.nccl.probe",
         text_key<&H::sources, &S::nccl, &N::probe>(TextRule::kAbsolutePath),
         "",
         "0.1.0",
         "The program that measures. `%n` stands for the node's name.",
         ""},
        {"health.sysfs_root",
         text_key<&H::sources, &S::sysfs_root>(TextRule::kAbsolutePath),
         "",
         "0.1.0",
         "Where ports are read from. Any other root is a simulation, and all that is written says "
         "so. `%n` stands for the node's name.",
         ""},
        {"health.nvml_library",
         text_key<&H::sources, &S::nvml_library>(TextRule::kNotEmpty),
         "",
         "0.1.0",
         "NVIDIA's library, as a name or a path for `dlopen`. `%n` stands for the node's name.",
         ""},
    };
}

}  // namespace

const ConfigTable<HealthPolicy>& policy_keys() {
    static const ConfigTable<HealthPolicy> keys = make_keys();
    return keys;
}

}  // namespace yardmaster
