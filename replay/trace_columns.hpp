// Which column of a trace holds what.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.hpp"
#include "replay/csv.hpp"

namespace yardmaster {

enum class TraceColumn : std::uint8_t { kSubmit, kNodes, kGpus, kRuntime, kHints, kId };
inline constexpr std::size_t kTraceColumns = 6;

/// How a column's values are written.
enum class ColumnForm : std::uint8_t {
    kPlain,
    kTres,          ///< gpus: a TRES string of the whole job
    kConstraint,    ///< hints: --constraint, with features
    kAdminComment,  ///< hints: a receipt
};

class TraceHeader {
  public:
    /// kMalformed: a required column is missing.
    static Result<TraceHeader> read(const CsvRecord& header);

    bool has(TraceColumn column) const { return places_[index(column)].has_value(); }
    ColumnForm form(TraceColumn column) const { return forms_[index(column)]; }
    /// As the header spells it.
    const std::string& name(TraceColumn column) const { return names_[index(column)]; }
    /// "" for a column that is not there. The record has as many fields as the header.
    std::string_view value(TraceColumn column, const CsvRecord& record) const;
    std::size_t fields() const { return fields_; }

  private:
    static std::size_t index(TraceColumn column) { return static_cast<std::size_t>(column); }

    std::size_t fields_ = 0;
    std::array<std::optional<std::size_t>, kTraceColumns> places_;
    std::array<ColumnForm, kTraceColumns> forms_{};
    std::array<std::string, kTraceColumns> names_;
};

}  // namespace yardmaster
