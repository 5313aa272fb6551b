#include "prolog/config_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "healthcheck/budget/collect.hpp"

namespace yardmaster {
namespace {

constexpr const char* kFound = "found";
constexpr const char* kAbsent = "absent";

/// First line: one of the words above, or what went wrong; then the content.
void send_file(const std::string& file, int fd) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        write_line(fd, errno == ENOENT ? kAbsent : std::strerror(errno));
        return;
    }
    std::ostringstream text;
    text << in.rdbuf();
    if (in.bad() || text.fail()) {
        write_line(fd, "could not be read (is it a file?)");
        return;
    }
    write_line(fd, kFound);
    write_line(fd, text.str());
}

}  // namespace

Result<std::string> read_config_file(const std::string& file, Clock::time_point deadline) {
    const auto lines = run_task({file, [&](int fd) { send_file(file, fd); }}, deadline);
    if (!lines) {
        return lines.status();
    }
    const std::string first = lines->empty() ? "its reader died" : lines->front();
    if (first != kFound) {
        return Status(first == kAbsent ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
                      file + ": " + (first == kAbsent ? "no such file" : first));
    }
    std::string text;
    for (std::size_t i = 1; i < lines->size(); ++i) {
        text += (*lines)[i] + "\n";
    }
    return text;
}

}  // namespace yardmaster
