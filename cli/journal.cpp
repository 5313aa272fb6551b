#include "cli/journal.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/json_value.hpp"
#include "cli/check_scope.hpp"
#include "cli/journal_counts.hpp"
#include "cli/since.hpp"
#include "cli/site_policy.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

/// The tables in the order in which they are shown.
std::vector<std::pair<const char*, const IncidentCounts*>> tables(const JournalCounts& counts) {
    return {{"cause", &counts.by_cause},
            {"node", &counts.by_node},
            {"object", &counts.by_object},
            {"rail", &counts.by_rail},
            {"firmware", &counts.by_firmware},
            {"driver", &counts.by_driver}};
}

/// Most incidents first.
std::vector<std::pair<std::string, IncidentCount>> ranked(const IncidentCounts& counts) {
    std::vector<std::pair<std::string, IncidentCount>> rows(counts.begin(), counts.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.second.incidents > b.second.incidents;
    });
    return rows;
}

std::string upper(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    return word;
}

void print_counts(const JournalCounts& counts, std::ostream& out) {
    out << count_of(counts.all.incidents, "incident") << " on "
        << count_of(counts.by_node.size(), "node");
    if (counts.all.incidents > 0) {
        out << " from " << time_text(counts.first) << " to " << time_text(counts.all.last);
    }
    out << ": " << count_of(counts.all.drains, "drain") << ", "
        << count_of(counts.rechecks, "re-check") << " (" << counts.rechecks_healthy << " healthy), "
        << count_of(counts.resumes, "resume") << '\n';
    if (counts.simulated) {
        out << "SIMULATED hardware among them: a test or a demo\n";
    }
    for (const auto& [name, rows] : tables(counts)) {
        Table table({upper(name), "INCIDENTS", "DRAINS", "LAST"});
        for (const auto& [key, count] : ranked(*rows)) {
            table.add({key,
                       std::to_string(count.incidents),
                       std::to_string(count.drains),
                       time_text(count.last)});
        }
        if (!table.empty()) {
            out << '\n';
            table.print(out);
        }
    }
}

JsonValue rows_json(const char* name, const IncidentCounts& counts) {
    return json_array_of(ranked(counts), [name](const auto& row) {
        return JsonValue::object()
            .set(name, row.first)
            .set("incidents", row.second.incidents)
            .set("drains", row.second.drains)
            .set("last", row.second.last);
    });
}

JsonValue counts_json(const JournalCounts& counts) {
    JsonValue json = JsonValue::object();
    json.set("incidents", counts.all.incidents)
        .set("drains", counts.all.drains)
        .set("first", counts.first)
        .set("last", counts.all.last)
        .set("rechecks", counts.rechecks)
        .set("rechecks_healthy", counts.rechecks_healthy)
        .set("resumes", counts.resumes)
        .set("simulated", counts.simulated);
    for (const auto& [name, rows] : tables(counts)) {
        json.set(("by_" + std::string(name)).c_str(), rows_json(name, *rows));
    }
    return json;
}

/// Adds the entries of `file`. Errors: as read_journal.
Status add_file(const std::string& file, std::vector<JournalEntry>& all, const Console& console) {
    auto journal = read_journal(file);
    if (!journal) {
        return journal.status();
    }
    for (const std::string& fault : journal->faults) {
        console.err << "yardmaster: no entry, left out: " << fault << '\n';
    }
    all.insert(all.end(), journal->entries.begin(), journal->entries.end());
    return Status::ok();
}

/// This node's journal and the one that it replaced; neither need be there.
Status add_own(std::vector<JournalEntry>& all, const Console& console) {
    const auto policy = read_site_policy("", own_node_name());
    if (!policy) {
        return policy.status();
    }
    for (const char* suffix : {".1", ""}) {
        const Status status = add_file(policy->journal + suffix, all, console);
        if (!status && status.code() != ErrorCode::kNotFound) {
            return status;
        }
    }
    return Status::ok();
}

Result<std::vector<JournalEntry>> read_all(const JournalOptions& options, const Console& console) {
    std::vector<JournalEntry> all;
    if (options.files.empty()) {
        const Status status = add_own(all, console);
        return status ? Result<std::vector<JournalEntry>>(std::move(all)) : status;
    }
    for (const std::string& file : options.files) {
        if (Status status = add_file(file, all, console); !status) {
            return status;
        }
    }
    return all;
}

}  // namespace

ExitCode run_journal(const JournalOptions& options, const Console& console) {
    const auto since = options.since.empty() ? Result<std::time_t>(0)
                                             : parse_since(options.since, std::time(nullptr));
    if (!since) {
        return fail(console, since.status());
    }
    auto entries = read_all(options, console);
    if (!entries) {
        return fail(console, entries.status());
    }
    std::vector<JournalEntry> wanted = std::move(entries).value();
    std::erase_if(wanted, [&](const JournalEntry& entry) { return entry.time < *since; });
    const JournalCounts counts = count_incidents(wanted);
    if (options.json) {
        console.out << counts_json(counts).dump() << '\n';
    } else {
        print_counts(counts, console.out);
    }
    return kExitOk;
}

}  // namespace yardmaster::cli
