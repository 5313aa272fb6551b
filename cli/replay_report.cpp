#include "cli/replay_report.hpp"

#include <cmath>
#include <functional>
#include <utility>

#include "cli/node_sets.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"
#include "replay/usage.hpp"

namespace yardmaster::cli {
namespace {

/// More refused jobs than this are only counted.
constexpr std::size_t kMaxRefusedShown = 8;

std::string rounded(double value, double unit = 100) {
    return number(std::round(value * unit) / unit);
}

std::string of(std::uint64_t part, std::uint64_t whole) {
    return std::to_string(part) + " of " + std::to_string(whole);
}

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    const auto two = [](std::uint64_t value) {
        return (value < 10 ? "0" : "") + std::to_string(value);
    };
    return std::to_string(whole / 3600) + ":" + two(whole / 60 % 60) + ":" + two(whole % 60);
}

class MetricTable {
  public:
    using Cell = std::function<std::string(const PolicyMetrics&)>;

    explicit MetricTable(const Comparison& comparison)
        : comparison_(comparison), table_(headings(comparison)) {}

    void title(const std::string& text) { table_.add({text}); }
    void add(const std::string& label, const Cell& cell) {
        std::vector<std::string> row{"  " + label};
        for (const PolicyRun& run : comparison_.runs) {
            row.push_back(cell(run.metrics));
        }
        table_.add(std::move(row));
    }
    void print(std::ostream& out) const { table_.print(out); }

  private:
    static std::vector<std::string> headings(const Comparison& comparison) {
        std::vector<std::string> headings{"  "};
        for (const PolicyRun& run : comparison.runs) {
            headings.push_back(run.policy);
        }
        return headings;
    }

    const Comparison& comparison_;
    Table table_;
};

/// Tiers worth a line: the topmost says nothing where there is one fabric.
std::size_t tiers_to_show(const Fabric& fabric, const Comparison& comparison) {
    std::size_t roots = 0;
    for (const SwitchUnit& unit : fabric.units()) {
        roots += unit.parent ? 0 : 1;
    }
    const std::size_t tiers = comparison.runs.front().metrics.spread.size();
    return roots > 1 || tiers == 0 ? tiers : tiers - 1;
}

void add_groups(std::size_t tiers, MetricTable& table) {
    table.title("communication");
    table.add("jobs with split TP groups",
              [](const PolicyMetrics& m) { return of(m.split_jobs, m.tp_jobs); });
    table.add("split TP groups",
              [](const PolicyMetrics& m) { return of(m.split_tp_groups, m.tp_groups); });
    table.add("DP ring edges crossing rails",
              [](const PolicyMetrics& m) { return of(m.dp_edges_off_rail, m.dp_edges); });
    for (std::size_t tier = 0; tier < tiers; ++tier) {
        const std::string name = tier_name(static_cast<std::uint32_t>(tier)) + "s";
        table.add("DP ring edges crossing " + name, [tier](const PolicyMetrics& m) {
            return of(m.dp_edges_leaving[tier], m.dp_edges);
        });
        table.add(name + " of a DP group, most and mean", [tier](const PolicyMetrics& m) {
            return std::to_string(m.spread[tier].most) + ", " + rounded(m.spread[tier].weighted);
        });
    }
    table.add("predicted time / best possible, mean and p95", [](const PolicyMetrics& m) {
        return rounded(m.slowdown.mean, 1000) + ", " + rounded(m.slowdown.p95, 1000);
    });
    table.add("imbalance of leaf groups, nodes",
              [](const PolicyMetrics& m) { return rounded(m.imbalance); });
}

void add_queue(const Fabric& fabric, MetricTable& table) {
    const UnitCounts units = units_of(fabric);
    table.title("queue");
    table.add("jobs run", [](const PolicyMetrics& m) { return std::to_string(m.jobs); });
    table.add("jobs it can never place",
              [](const PolicyMetrics& m) { return std::to_string(m.impossible); });
    table.add("wait, mean and p95", [](const PolicyMetrics& m) {
        return duration_text(m.wait.mean) + ", " + duration_text(m.wait.p95);
    });
    table.add("all done after", [](const PolicyMetrics& m) {
        return duration_text(static_cast<double>(m.makespan));
    });
    table.add("GPUs in use",
              [](const PolicyMetrics& m) { return rounded(100 * m.utilisation, 10) + " %"; });
    if (units.domains > 0) {
        table.add("whole domains free, of " + std::to_string(units.domains),
                  [](const PolicyMetrics& m) { return rounded(m.free_domains); });
    }
    table.add("whole leaf groups free, of " + std::to_string(units.leaf_groups),
              [](const PolicyMetrics& m) { return rounded(m.free_leaf_groups); });
}

void print_refused(const Comparison& comparison, std::ostream& out) {
    if (comparison.refused.empty()) {
        return;
    }
    out << '\n'
        << count_of(comparison.refused.size(), "job")
        << " left out, because slurmctld would refuse "
        << (comparison.refused.size() == 1 ? "it" : "them") << " at submit:\n";
    for (std::size_t i = 0; i < comparison.refused.size() && i < kMaxRefusedShown; ++i) {
        const RefusedJob& refused = comparison.refused[i];
        out << "  " << refused.job.id << " (line " << refused.job.line << "): " << refused.reason
            << '\n';
    }
    if (comparison.refused.size() > kMaxRefusedShown) {
        out << "  and " << comparison.refused.size() - kMaxRefusedShown << " more\n";
    }
}

JsonValue distribution_to_json(const Distribution& distribution) {
    JsonValue json = JsonValue::object();
    json.set("mean", distribution.mean).set("p95", distribution.p95);
    return json;
}

JsonValue spread_to_json(const SpreadSummary& tier) {
    JsonValue json = JsonValue::object();
    json.set("most", tier.most).set("weighted", tier.weighted);
    return json;
}

JsonValue metrics_to_json(const PolicyMetrics& metrics) {
    JsonValue json = JsonValue::object();
    json.set("jobs", metrics.jobs)
        .set("impossible", metrics.impossible)
        .set("tp_jobs", metrics.tp_jobs)
        .set("split_jobs", metrics.split_jobs)
        .set("tp_groups", metrics.tp_groups)
        .set("split_tp_groups", metrics.split_tp_groups)
        .set("dp_edges", metrics.dp_edges)
        .set("dp_edges_off_rail", metrics.dp_edges_off_rail)
        .set("dp_edges_leaving", json_array_of(metrics.dp_edges_leaving))
        .set("dp_spread", json_array_of(metrics.spread, spread_to_json))
        .set("slowdown", distribution_to_json(metrics.slowdown))
        .set("imbalance", metrics.imbalance)
        .set("wait_seconds", distribution_to_json(metrics.wait))
        .set("makespan_seconds", metrics.makespan)
        .set("utilisation", metrics.utilisation)
        .set("free_domains", metrics.free_domains)
        .set("free_leaf_groups", metrics.free_leaf_groups);
    return json;
}

JsonValue run_to_json(const Fabric& fabric, const Comparison& comparison, const PolicyRun& run) {
    JsonValue starts = JsonValue::array();
    for (const JobStart& start : run.schedule.starts) {
        JsonValue entry = JsonValue::object();
        entry.set("job", comparison.jobs[start.job].id)
            .set("start", start.start)
            .set("end", start.end)
            .set("nodes", json_array_of(node_names(fabric, start.ranked)));
        starts.append(std::move(entry));
    }
    JsonValue json = JsonValue::object();
    json.set("policy", run.policy)
        .set("metrics", metrics_to_json(run.metrics))
        .set("starts", std::move(starts));
    return json;
}

}  // namespace

void print_comparison(const Fabric& fabric, const Comparison& comparison, std::ostream& out) {
    MetricTable table(comparison);
    add_groups(tiers_to_show(fabric, comparison), table);
    add_queue(fabric, table);
    table.print(out);
    out << "\nGPUs in use and free units: means over the first "
        << duration_text(static_cast<double>(comparison.window))
        << ", while every policy had work.\n";
    print_refused(comparison, out);
}

JsonValue comparison_to_json(const Fabric& fabric, const Comparison& comparison) {
    JsonValue refused = JsonValue::array();
    for (const RefusedJob& job : comparison.refused) {
        JsonValue entry = JsonValue::object();
        entry.set("job", job.job.id).set("line", job.job.line).set("reason", job.reason);
        refused.append(std::move(entry));
    }
    JsonValue runs = JsonValue::array();
    for (const PolicyRun& run : comparison.runs) {
        runs.append(run_to_json(fabric, comparison, run));
    }
    JsonValue json = JsonValue::object();
    json.set("jobs", comparison.jobs.size())
        .set("window_seconds", comparison.window)
        .set("policies", std::move(runs))
        .set("refused", std::move(refused));
    return json;
}

}  // namespace yardmaster::cli
