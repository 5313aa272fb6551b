#include "replay/trace_columns.hpp"

#include <algorithm>
#include <cctype>

namespace yardmaster {
namespace {

struct Alias {
    std::string_view name;  ///< lower case
    TraceColumn column;
    ColumnForm form = ColumnForm::kPlain;
};
/// The names of one column in the order in which they are looked for: the more exact first.
constexpr Alias kAliases[] = {
    {"submit", TraceColumn::kSubmit},
    {"nodes", TraceColumn::kNodes},
    {"nnodes", TraceColumn::kNodes},
    {"allocnodes", TraceColumn::kNodes},
    {"gpus", TraceColumn::kGpus},
    {"gpus_per_node", TraceColumn::kGpus},
    {"alloctres", TraceColumn::kGpus, ColumnForm::kTres},
    {"reqtres", TraceColumn::kGpus, ColumnForm::kTres},
    {"runtime", TraceColumn::kRuntime},
    {"elapsedraw", TraceColumn::kRuntime},
    {"elapsed", TraceColumn::kRuntime},
    {"hints", TraceColumn::kHints},
    {"admincomment", TraceColumn::kHints, ColumnForm::kAdminComment},
    {"constraints", TraceColumn::kHints, ColumnForm::kConstraint},
    {"constraint", TraceColumn::kHints, ColumnForm::kConstraint},
    {"id", TraceColumn::kId},
    {"jobid", TraceColumn::kId},
    {"jobidraw", TraceColumn::kId},
};
constexpr TraceColumn kRequired[] = {
    TraceColumn::kSubmit, TraceColumn::kNodes, TraceColumn::kGpus, TraceColumn::kRuntime};

std::string lower(std::string_view text) {
    std::string result;
    for (char c : text) {
        if (c != ' ') {
            result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return result;
}

std::string names_of(TraceColumn column) {
    std::string names;
    for (const Alias& alias : kAliases) {
        if (alias.column == column) {
            names.append(names.empty() ? "" : ", ").append(alias.name);
        }
    }
    return names;
}

}  // namespace

Result<TraceHeader> TraceHeader::read(const CsvRecord& header) {
    TraceHeader result;
    result.fields_ = header.fields.size();
    for (const Alias& alias : kAliases) {
        const auto found =
            std::find_if(header.fields.begin(), header.fields.end(), [&](const auto& name) {
                return lower(name) == alias.name;
            });
        if (found != header.fields.end() && !result.has(alias.column)) {
            const std::size_t at = index(alias.column);
            result.places_[at] = static_cast<std::size_t>(found - header.fields.begin());
            result.forms_[at] = alias.form;
            result.names_[at] = *found;
        }
    }
    for (TraceColumn column : kRequired) {
        if (!result.has(column)) {
            return Status(ErrorCode::kMalformed,
                          "line " + std::to_string(header.line) +
                              ": the header has no column named one of: " + names_of(column) +
                              "; name it so in the first line");
        }
    }
    return result;
}

std::string_view TraceHeader::value(TraceColumn column, const CsvRecord& record) const {
    const auto& place = places_[index(column)];
    return place ? std::string_view(record.fields[*place]) : std::string_view();
}

}  // namespace yardmaster
