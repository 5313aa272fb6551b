#include <glob.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/doctor/host.hpp"
#include "prolog/config_file.hpp"

namespace yardmaster::cli::doctor {
namespace {

constexpr std::chrono::seconds kReadLimit{5};

std::string without_root(const Host& host, const std::string& path) {
    return path.starts_with(host.root) ? path.substr(host.root.size()) : path;
}

}  // namespace

Result<FileFacts> look_at(const Host& host, const std::string& path) {
    struct stat found {};
    if (stat((host.root + path).c_str(), &found) != 0) {
        const int code = errno;
        return Status(
            code == ENOENT || code == ENOTDIR ? ErrorCode::kNotFound : ErrorCode::kUnreadable,
            path + ": " + std::strerror(code));
    }
    FileFacts facts;
    facts.is_folder = S_ISDIR(found.st_mode);
    facts.is_regular = S_ISREG(found.st_mode);
    facts.is_character_device = S_ISCHR(found.st_mode);
    facts.permissions = found.st_mode & 07777;
    facts.owner = found.st_uid;
    return facts;
}

std::string resolve(const Host& host, const std::string& path) {
    std::error_code error;
    const auto real = std::filesystem::canonical(host.root + path, error);
    return error ? path : without_root(host, real.string());
}

Result<std::string> read_text(const Host& host, const std::string& path) {
    return read_config_file(host.root + path, Clock::now() + kReadLimit);
}

std::vector<std::string> matches(const Host& host, const std::string& pattern) {
    glob_t found{};
    std::vector<std::string> paths;
    if (glob((host.root + pattern).c_str(), 0, nullptr, &found) == 0) {
        for (std::size_t i = 0; i < found.gl_pathc; ++i) {
            paths.push_back(without_root(host, found.gl_pathv[i]));
        }
    }
    globfree(&found);
    return paths;
}

std::optional<std::uint64_t> free_bytes(const Host& host, const std::string& path) {
    struct statvfs found {};
    if (statvfs((host.root + path).c_str(), &found) != 0) {
        return std::nullopt;
    }
    return std::uint64_t{found.f_bfree} * found.f_frsize;
}

}  // namespace yardmaster::cli::doctor
