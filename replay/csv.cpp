#include "replay/csv.hpp"

#include <utility>

namespace yardmaster {
namespace {

char separator_of(std::string_view text) {
    bool quoted = false;
    for (char c : text) {
        quoted ^= c == '"';
        if (!quoted && (c == '|' || c == '\n')) {
            return c == '|' ? '|' : ',';
        }
    }
    return ',';
}

/// The text without what stands before its first record.
std::string_view from_first_record(std::string_view text, std::size_t& line) {
    while (!text.empty() && (text[0] == '#' || text[0] == '\n' || text[0] == '\r')) {
        const std::size_t end = text.find('\n');
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        ++line;
    }
    return text;
}

class CsvParser {
  public:
    CsvParser(std::string_view text, std::size_t line)
        : text_(text), separator_(separator_of(text)), line_(line) {}

    Result<std::vector<CsvRecord>> parse() {
        std::vector<CsvRecord> records;
        while (!(text_ = from_first_record(text_, line_)).empty()) {
            CsvRecord record{line_, {}};
            if (Status status = read_record(record); !status) {
                return status;
            }
            records.push_back(std::move(record));
        }
        return records;
    }

  private:
    Status read_record(CsvRecord& record) {
        while (true) {
            std::string field;
            const bool quoted = !text_.empty() && text_[0] == '"';
            if (Status status = quoted ? read_quoted(field) : read_plain(field); !status) {
                return status;
            }
            record.fields.push_back(std::move(field));
            if (text_.empty()) {
                return Status::ok();
            }
            const char end = text_[0];
            text_.remove_prefix(1);
            if (end == '\n') {
                ++line_;
                return Status::ok();
            }
        }
    }

    bool at_end_of_field() const {
        return text_.empty() || text_[0] == separator_ || text_[0] == '\n';
    }

    Status read_plain(std::string& field) {
        std::size_t length = 0;
        while (length < text_.size() && text_[length] != separator_ && text_[length] != '\n') {
            ++length;
        }
        field = text_.substr(0, length);
        text_.remove_prefix(length);
        if (field.ends_with('\r')) {
            field.pop_back();
        }
        return Status::ok();
    }

    Status read_quoted(std::string& field) {
        const std::size_t begin = line_;
        text_.remove_prefix(1);
        while (!text_.empty()) {
            const char c = text_[0];
            text_.remove_prefix(1);
            if (c != '"') {
                line_ += c == '\n' ? 1 : 0;
                field += c;
            } else if (text_.starts_with('"')) {
                field += c;
                text_.remove_prefix(1);
            } else {
                return end_quoted(begin);
            }
        }
        return error(begin, "a quote (\") is opened and never closed; close it or double it");
    }

    Status end_quoted(std::size_t begin) {
        if (text_.starts_with("\r\n") || text_ == "\r") {
            text_.remove_prefix(1);
        }
        return at_end_of_field() ? Status::ok()
                                 : error(begin,
                                         "text follows a closing quote (\"); write a quote "
                                         "inside a field as two");
    }

    static Status error(std::size_t line, const std::string& what) {
        return {ErrorCode::kMalformed, "line " + std::to_string(line) + ": " + what};
    }

    std::string_view text_;
    const char separator_;
    std::size_t line_;
};

}  // namespace

Result<std::vector<CsvRecord>> parse_csv(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    std::size_t line = 1;
    text = from_first_record(text, line);
    return CsvParser(text, line).parse();
}

}  // namespace yardmaster
