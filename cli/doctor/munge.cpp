#include "cli/doctor/munge.hpp"

#include <chrono>
#include <string_view>

#include "healthcheck/budget/collect.hpp"
#include "healthcheck/crossnode/seal.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// libmunge tries to reach a munged that does not listen for about 2 s.
constexpr std::chrono::seconds kLimit{10};

constexpr std::string_view kNoLibrary = "no libmunge";

/// "" or what went wrong.
std::string round_trip(const std::string& socket) {
    const auto seal = make_munge_seal("libmunge.so.2", socket);
    if (!seal) {
        return std::string(kNoLibrary) + ": " + seal.status().message();
    }
    const auto credential = (*seal)->close("");
    const auto text = credential ? (*seal)->open(*credential) : credential;
    return text.status().message();
}

}  // namespace

Status munge_round_trip(const std::string& socket) {
    const auto lines =
        run_task({"munged's answer", [&](int fd) { write_line(fd, round_trip(socket)); }},
                 Clock::now() + kLimit);
    if (!lines) {
        return lines.status();
    }
    if (lines->empty()) {
        return {ErrorCode::kInternal, "libmunge ended its process"};
    }
    const std::string& error = lines->front();
    return error.empty() ? Status::ok()
                         : Status(error.starts_with(kNoLibrary) ? ErrorCode::kNotFound
                                                                : ErrorCode::kUnavailable,
                                  error);
}

}  // namespace yardmaster::cli::doctor
