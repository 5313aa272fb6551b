#include "replay/trace.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "replay/sacct_forms.hpp"
#include "replay/trace_columns.hpp"
#include "topology/receipt.hpp"

namespace yardmaster {
namespace {

constexpr std::int64_t kMostNodes = 1000000;
constexpr std::int64_t kMostGpus = 1024;
constexpr std::int64_t kLongest = std::int64_t{10} * 366 * 86400;

/// One record on its way to a job.
class RecordReader {
  public:
    RecordReader(const TraceHeader& header, const CsvRecord& record)
        : header_(header), record_(record) {}

    bool is_step() const { return value(TraceColumn::kId).find('.') != std::string_view::npos; }

    /// A job with `nodes` or `runtime` 0 never ran.
    Result<TraceJob> read() const {
        TraceJob job;
        job.line = record_.line;
        job.id = value(TraceColumn::kId);
        if (job.id.empty()) {
            job.id = "line " + std::to_string(record_.line);
        }
        for (const auto step : {&RecordReader::read_nodes,
                                &RecordReader::read_runtime,
                                &RecordReader::read_submit,
                                &RecordReader::read_gpus,
                                &RecordReader::read_hints}) {
            if (Status status = (this->*step)(job); !status) {
                return status;
            }
        }
        return job;
    }

  private:
    std::string_view value(TraceColumn column) const { return header_.value(column, record_); }

    Status error(TraceColumn column, const std::string& expectation) const {
        return {ErrorCode::kMalformed,
                "line " + std::to_string(record_.line) + ": " + header_.name(column) + " is \"" +
                    std::string(value(column)) + "\", " + expectation};
    }

    Status read_nodes(TraceJob& job) const {
        const auto nodes = parse_count(value(TraceColumn::kNodes));
        if (!nodes || *nodes > kMostNodes) {
            return error(TraceColumn::kNodes,
                         "must be a number from 0 to " + std::to_string(kMostNodes) +
                             " (sacct: --noconvert)");
        }
        job.nodes = static_cast<std::uint32_t>(*nodes);
        return Status::ok();
    }

    Status read_runtime(TraceJob& job) const {
        const auto runtime = parse_duration(value(TraceColumn::kRuntime));
        if (!runtime || *runtime > kLongest) {
            return error(TraceColumn::kRuntime,
                         "must be seconds or [days-]hours:minutes:seconds, at most ten years");
        }
        job.runtime = *runtime;
        return Status::ok();
    }

    Status read_submit(TraceJob& job) const {
        const auto submit = parse_time_point(value(TraceColumn::kSubmit));
        if (!submit) {
            return error(TraceColumn::kSubmit,
                         "must be seconds or a time like 2026-11-30T21:04:05");
        }
        job.submit = *submit;
        return Status::ok();
    }

    Status read_gpus(TraceJob& job) const {
        const bool tres = header_.form(TraceColumn::kGpus) == ColumnForm::kTres;
        const std::string_view text = value(TraceColumn::kGpus);
        const auto gpus = tres ? gpus_in_tres(text) : parse_count(text);
        if (!gpus) {
            return error(TraceColumn::kGpus,
                         tres ? "must hold gres/gpu=N with a number N"
                              : "must be the number of GPUs on each node");
        }
        if (tres && job.nodes > 0 && *gpus % job.nodes != 0) {
            return error(TraceColumn::kGpus,
                         "its GPUs do not divide evenly by " + std::to_string(job.nodes) +
                             " nodes; leave the job out of the trace");
        }
        const std::int64_t each = tres && job.nodes > 0 ? *gpus / job.nodes : *gpus;
        if (each > kMostGpus) {
            return error(TraceColumn::kGpus,
                         "must be at most " + std::to_string(kMostGpus) + " on a node");
        }
        job.gpus_per_node = static_cast<std::uint32_t>(each);
        return Status::ok();
    }

    Status read_hints(TraceJob& job) const {
        auto hints = hints_of(value(TraceColumn::kHints));
        if (!hints) {
            return error(TraceColumn::kHints, "which is no hint: " + hints.status().message());
        }
        job.hints = *hints;
        return Status::ok();
    }

    Result<Hints> hints_of(std::string_view text) const {
        switch (header_.form(TraceColumn::kHints)) {
            case ColumnForm::kAdminComment:
                return hints_of_receipt(text);
            case ColumnForm::kConstraint:
                return hints_of_constraint(text);
            default:
                return parse_hints(text);
        }
    }

    static Result<Hints> hints_of_receipt(std::string_view text) {
        // A comment of somebody else's says nothing about hints.
        if (!is_receipt(text)) {
            return Hints{};
        }
        auto receipt = parse_receipt(text);
        return receipt ? Result<Hints>(receipt->hints) : receipt.status();
    }

    static Result<Hints> hints_of_constraint(std::string_view text) {
        auto split = split_constraint(text);
        return split ? Result<Hints>(split->hints) : split.status();
    }

    const TraceHeader& header_;
    const CsvRecord& record_;
};

Status add_record(const TraceHeader& header, const CsvRecord& record, Trace& trace) {
    if (record.fields.size() != header.fields()) {
        return {ErrorCode::kMalformed,
                "line " + std::to_string(record.line) + ": has " +
                    std::to_string(record.fields.size()) + " fields, the header has " +
                    std::to_string(header.fields()) +
                    "; quote (\") a field that holds the separator"};
    }
    const RecordReader reader(header, record);
    if (reader.is_step()) {
        ++trace.steps;
        return Status::ok();
    }
    auto job = reader.read();
    if (!job) {
        return job.status();
    }
    if (job->nodes == 0 || job->runtime == 0) {
        ++trace.never_ran;
    } else {
        trace.jobs.push_back(std::move(job).value());
    }
    return Status::ok();
}

Result<Trace> read_records(const std::vector<CsvRecord>& records) {
    if (records.empty()) {
        return Status(ErrorCode::kMalformed,
                      "is empty; its first line must name the columns, e.g. "
                      "submit,nodes,gpus,hints,runtime");
    }
    const auto header = TraceHeader::read(records.front());
    if (!header) {
        return header.status();
    }
    Trace trace;
    for (std::size_t i = 1; i < records.size(); ++i) {
        if (Status status = add_record(*header, records[i], trace); !status) {
            return status;
        }
    }
    return trace;
}

/// By time, which begins with the first submission.
void order_jobs(std::vector<TraceJob>& jobs) {
    std::stable_sort(jobs.begin(), jobs.end(), [](const TraceJob& a, const TraceJob& b) {
        return a.submit < b.submit;
    });
    const std::int64_t first = jobs.front().submit;
    for (TraceJob& job : jobs) {
        job.submit -= first;
    }
}

}  // namespace

Result<Trace> parse_trace(std::string_view text, std::string_view source) {
    const auto records = parse_csv(text);
    if (!records) {
        return records.status().with_context(source);
    }
    auto trace = read_records(*records);
    if (!trace) {
        return trace.status().with_context(source);
    }
    if (trace->jobs.empty()) {
        return Status(ErrorCode::kMalformed,
                      std::string(source) +
                          ": holds no job that ran; a job needs nodes and a "
                          "runtime of at least 1");
    }
    order_jobs(trace->jobs);
    return trace;
}

Result<Trace> load_trace(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        return Status(ErrorCode::kNotFound, file + ": cannot be opened; is the name right?");
    }
    std::ostringstream text;
    text << stream.rdbuf();
    if (stream.bad() || text.bad() || stream.fail()) {
        return Status(ErrorCode::kUnreadable, file + ": cannot be read, or is empty");
    }
    return parse_trace(text.str(), file);
}

}  // namespace yardmaster
