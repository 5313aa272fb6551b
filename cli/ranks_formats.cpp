// The formats of `yardmaster ranks`.
#include <sstream>

#include "cli/ranks_report.hpp"
#include "cli/table.hpp"
#include "cli/weights_text.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

/// One format while it is written.
struct Writer {
    const RanksReport& report;
    const RanksOptions& options;
    std::ostringstream& out;

    const std::vector<std::string>& nodes() const { return report.layout.nodes; }
    bool wanted(const std::string& node) const {
        return options.node.empty() || options.node == node;
    }
    std::uint32_t tasks() const {
        return options.tasks_per_node > 0 ? options.tasks_per_node : report.layout.gpus_per_node;
    }
};

/// A node's name on one line for each of its tasks: what srun's arbitrary distribution and Open
/// MPI's sequential mapper read.
void write_tasks(Writer& writer) {
    for (const std::string& node : writer.nodes()) {
        for (std::uint32_t task = 0; writer.wanted(node) && task < writer.tasks(); ++task) {
            writer.out << node << '\n';
        }
    }
}

void write_hostfile(Writer& writer) {
    for (const std::string& node : writer.nodes()) {
        if (writer.wanted(node)) {
            writer.out << node << " slots=" << writer.tasks() << '\n';
        }
    }
}

void write_torchrun(Writer& writer) {
    for (std::uint32_t rank = 0; rank < writer.nodes().size(); ++rank) {
        if (!writer.wanted(writer.nodes()[rank])) {
            continue;
        }
        if (writer.options.node.empty()) {
            writer.out << writer.nodes()[rank] << ": ";
        }
        writer.out << "--nnodes=" << writer.nodes().size() << " --node_rank=" << rank
                   << " --nproc_per_node=" << writer.report.layout.gpus_per_node
                   << " --master_addr=" << writer.nodes().front()
                   << " --master_port=" << writer.options.port << '\n';
    }
}

std::vector<RankVariable> variables_of(const RanksReport& report, std::uint32_t rank) {
    auto variables = node_variables(report.layout, rank);
    for (RankVariable& variable : group_variables(report.layout, rank)) {
        variables.push_back(std::move(variable));
    }
    return variables;
}

void write_env(Writer& writer) {
    for (std::uint32_t rank = 0; rank < writer.nodes().size(); ++rank) {
        if (!writer.wanted(writer.nodes()[rank])) {
            continue;
        }
        if (writer.options.node.empty()) {
            writer.out << (rank > 0 ? "\n" : "") << "# " << writer.nodes()[rank] << '\n';
        }
        // Values hold nothing but names, numbers and commas: no quotes are needed.
        for (const RankVariable& variable : variables_of(writer.report, rank)) {
            writer.out << "export " << variable.name << '=' << variable.value << '\n';
        }
    }
}

std::string verdict(const RanksReport& report) {
    if (report.slurm_is_as_good) {
        return "Slurm's own; no better one was found.";
    }
    std::string text = "by domains and switches, not Slurm's";
    if (report.slurm_split_tp_groups != report.split_tp_groups) {
        text += ", which splits " + std::to_string(report.slurm_split_tp_groups) + " of " +
                count_of(report.tp_groups, "TP group");
    }
    return text + ". A launcher must be told: see `yardmaster ranks --help`.";
}

std::string span_text(std::uint32_t first, std::uint32_t count) {
    return std::to_string(first) +
           (count > 1 ? "-" + std::to_string(first + count - 1) : std::string());
}

/// The numbers of the groups of `kind` in which a node's processes are.
std::string groups_text(const RankLayout& layout, std::uint32_t node_rank, GroupKind kind) {
    std::vector<std::string> numbers;
    for (std::uint32_t local = 0; local < layout.gpus_per_node; ++local) {
        const auto place = place_of(*layout.sizes, kind, layout.rank(node_rank, local));
        const auto number = std::to_string(kind == GroupKind::kTp ? place.group : place.position);
        if (numbers.empty() || numbers.back() != number) {
            numbers.push_back(number);
        }
    }
    return join(numbers, ",");
}

void write_table(Writer& writer) {
    const RanksReport& report = writer.report;
    const RankLayout& layout = report.layout;
    writer.out << report.title << ": " << count_of(writer.nodes().size(), "node") << " x "
               << count_of(layout.gpus_per_node, "GPU") << ", "
               << (report.sheet.hints.empty() ? "no hints" : report.sheet.hints.to_string())
               << "\nOrder: " << verdict(report) << '\n';
    print_weights(report.weights, writer.out);
    writer.out << '\n';
    Table table({"NODE RANK", "NODE", "RANKS", "NVLINK DOMAIN", "LEAF GROUP", "TP GROUP", "STAGE"});
    for (std::uint32_t rank = 0; rank < writer.nodes().size(); ++rank) {
        if (writer.wanted(writer.nodes()[rank])) {
            const auto groups = [&](GroupKind kind) {
                return layout.sizes ? groups_text(layout, rank, kind) : std::string("-");
            };
            table.add({std::to_string(rank),
                       writer.nodes()[rank],
                       span_text(rank * layout.gpus_per_node, layout.gpus_per_node),
                       report.domains[rank],
                       report.leaves[rank],
                       groups(GroupKind::kTp),
                       groups(GroupKind::kPp)});
        }
    }
    table.print(writer.out);
}

}  // namespace

Result<std::string> format_ranks(const RanksReport& report, const RanksOptions& options) {
    if (!options.node.empty() && !report.layout.node_rank(options.node)) {
        return Status(ErrorCode::kInvalidArgument,
                      "--node: " + options.node + " is none of " + report.title + "'s nodes, " +
                          host_expression(report.slurm_order));
    }
    constexpr std::pair<std::string_view, void (*)(Writer&)> kFormats[] = {
        {"srun", &write_tasks},
        {"mpirun", &write_tasks},
        {"hostfile", &write_hostfile},
        {"torchrun", &write_torchrun},
        {"env", &write_env},
        {"table", &write_table}};
    std::ostringstream out;
    Writer writer{report, options, out};
    for (const auto& [name, write] : kFormats) {
        if (name == options.format) {
            write(writer);
            return out.str();
        }
    }
    return Status(ErrorCode::kInvalidArgument,
                  "--format: \"" + options.format +
                      "\" is none of table, srun, hostfile, mpirun, "
                      "torchrun, env");
}

}  // namespace yardmaster::cli
