#include "prolog/policy_keys.hpp"

namespace yardmaster {
namespace {

using H = HealthPolicy;
using B = BreakerPolicy;
using L = CounterLimits;
using S = CheckSources;

// More nodes than a cluster has; catches a slipped digit.
constexpr double kMaxNodes = 1000000;
constexpr double kMaxRate = 1e12;
constexpr std::string_view kSentinel =
    "Default of NVIDIA NVSentinel's NIC health monitor (\"Link Counter Detection\").";
constexpr double kYear = 31536000;  // seconds

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
        {"health.wiring",
         flag_key<&H::wiring>(),
         "",
         "0.1.0",
         "`false`: do not compare which NIC is nearest to each GPU with the fabric file. For nodes "
         "whose rails are not the nearest NICs by design.",
         ""},
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
