#include "plugin/spank/job_note.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace yardmaster {
namespace {

constexpr std::size_t kMaxBytes =
    4 * kRankSheetMaxBytes;  // the sheet and two host lists of its kind
constexpr std::uint32_t kMaxGpuIndex = 1023;

Status system_error(const std::string& path, const char* what) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnreadable;
    return {code, path + ": cannot " + what + ": " + std::strerror(errno)};
}

/// "4" or "4-6".
bool add_range(std::string_view text, std::vector<std::uint32_t>& gpus) {
    const auto number = [](std::string_view digits, std::uint32_t& value) {
        const char* end = digits.data() + digits.size();
        const auto parsed = std::from_chars(digits.data(), end, value);
        return parsed.ec == std::errc() && parsed.ptr == end && value <= kMaxGpuIndex;
    };
    const std::size_t dash = text.find('-');
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    const std::string_view last = dash == text.npos ? text : text.substr(dash + 1);
    if (!number(text.substr(0, dash), low) || !number(last, high) || low > high) {
        return false;
    }
    for (; low <= high; ++low) {
        gpus.push_back(low);
    }
    return true;
}

Result<std::vector<std::uint32_t>> parse_gpus(std::string_view list) {
    std::vector<std::uint32_t> gpus;
    for (std::string_view rest = list; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        if (!add_range(rest.substr(0, comma), gpus) || gpus.size() > kMaxGpuIndex) {
            return Status(ErrorCode::kMalformed,
                          "GPU list \"" + std::string(list.substr(0, 80)) +
                              "\" is none; it must look like 0,1,4-6");
        }
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    std::sort(gpus.begin(), gpus.end());
    return gpus;
}

std::string text_of(const JobNote& note) {
    std::string text = "gpus=";
    for (std::size_t i = 0; i < note.gpus.size(); ++i) {
        text += (i == 0 ? "" : ",") + std::to_string(note.gpus[i]);
    }
    return text + "\nplace=" + std::to_string(note.place.node_rank) + " " +
           std::to_string(note.place.nnodes) + " " + note.place.master + "\nnodes=" + note.nodes +
           "\nsheet=" + note.sheet + "\n";
}

/// "2 4 yard01".
std::optional<JobPlace> parse_place(std::string_view text) {
    JobPlace place;
    const char* end = text.data() + text.size();
    const auto rank = std::from_chars(text.data(), end, place.node_rank);
    if (rank.ec != std::errc() || rank.ptr == end || *rank.ptr != ' ') {
        return std::nullopt;
    }
    const auto count = std::from_chars(rank.ptr + 1, end, place.nnodes);
    if (count.ec != std::errc() || end - count.ptr < 2 || *count.ptr != ' ') {
        return std::nullopt;
    }
    place.master.assign(count.ptr + 1, end);
    return place.node_rank < place.nnodes ? std::optional(place) : std::nullopt;
}

/// The rest of the line that begins with `key`; none: there is no such line.
std::optional<std::string> line_of(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        if (line.starts_with(key)) {
            return std::string(line.substr(key.size()));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::nullopt;
}

/// A file descriptor that closes itself.
class File {
  public:
    explicit File(int fd) : fd_(fd) {}
    ~File() {
        if (fd_ >= 0) {
            close(fd_);
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int fd() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }

    bool write_all(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t written = write(fd_, text.data(), text.size());
            if (written < 0 && errno != EINTR) {
                return false;
            }
            text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
        }
        return true;
    }

    bool read_all(std::string& text) const {
        char buffer[4096];
        for (;;) {
            const ssize_t got = read(fd_, buffer, sizeof buffer);
            if (got <= 0 && !(got < 0 && errno == EINTR)) {
                return got == 0;
            }
            text.append(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
            if (text.size() > kMaxBytes) {
                errno = EFBIG;
                return false;
            }
        }
    }

  private:
    int fd_;
};

std::string value_of(const char* (*get)(const char*), const char* name) {
    const char* value = get(name);
    std::string text = value == nullptr ? "" : value;
    std::replace(text.begin(), text.end(), '\n', ' ');  // a note has one line a key
    return text;
}

Result<JobPlace> place_in_job(const JobNote& note, const std::string& node) {
    // Steps believe the sheet; what is wrong with it is to be said here, once a job.
    if (const auto head = parse_rank_sheet_head(note.sheet); !head) {
        return head.status();
    }
    const auto among = place_among(note, note.nodes, node);
    if (!among) {
        return among.status();
    }
    if (!among->hosts.place) {
        return Status(
            ErrorCode::kMalformed,
            "this node, " + node + ", is none of the job's: " + note.nodes.substr(0, 200));
    }
    return JobPlace{*among->hosts.place, among->hosts.count, among->hosts.first};
}

}  // namespace

Result<PlaceAmong> place_among(const JobNote& note,
                               const std::string& nodes,
                               const std::string& node) {
    const auto job = host_ranges(note.nodes);
    const auto asked = host_ranges(nodes);
    const auto sheet = host_ranges(rank_sheet_nodes(note.sheet));
    for (const auto* list : {&job, &asked, &sheet}) {
        if (!*list) {
            return list->status();
        }
    }
    const HostsIn of_job = hosts_in(*asked, *job, node);
    const HostsIn by_sheet = hosts_in(*sheet, *asked, node);
    const bool complete = by_sheet.count == of_job.count;
    return PlaceAmong{complete ? by_sheet : of_job, complete};
}

Result<JobNote> note_from_environment(const char* (*get)(const char* name)) {
    auto gpus = parse_gpus(value_of(get, "SLURM_JOB_GPUS"));
    if (!gpus) {
        return gpus.status().with_context("SLURM_JOB_GPUS");
    }
    JobNote note;
    note.gpus = std::move(gpus).value();
    note.nodes = value_of(get, "SLURM_JOB_NODELIST");
    if (note.nodes.empty()) {
        note.nodes = value_of(get, "SLURM_NODELIST");
    }
    note.sheet = value_of(get, (std::string("SPANK_") + kRankSheetEnv).c_str());
    auto place = place_in_job(note, value_of(get, "SLURMD_NODENAME"));
    if (!place) {
        return place.status();
    }
    note.place = std::move(place).value();
    return note;
}

Result<std::string> note_path(const std::string& folder, std::uint32_t job, std::string_view node) {
    if (node.empty() || node.find('/') != node.npos || node.size() > 128) {
        return Status(ErrorCode::kInvalidArgument,
                      "node name \"" + std::string(node.substr(0, 128)) +
                          "\" cannot be a part of a file's name");
    }
    return folder + "/" + std::to_string(job) + "." + std::string(node);
}

Status write_note(const std::string& path, const JobNote& note) {
    const std::string folder = path.substr(0, path.rfind('/'));
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
        return system_error(folder, "make this folder");
    }
    const std::string fresh = path + ".new";
    unlink(fresh.c_str());
    const File file(
        open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    // slurmd's umask is the site's; users' tasks read this.
    if (!file.is_open() || fchmod(file.fd(), 0644) != 0 || !file.write_all(text_of(note)) ||
        rename(fresh.c_str(), path.c_str()) != 0) {
        const Status error = system_error(path, "write");
        unlink(fresh.c_str());
        return error;
    }
    return Status::ok();
}

Result<JobNote> read_note(const std::string& path) {
    const File file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    std::string text;
    if (!file.is_open() || !file.read_all(text)) {
        return system_error(path, "read");
    }
    const auto gpu_line = line_of(text, "gpus=");
    const auto nodes = line_of(text, "nodes=");
    const auto sheet = line_of(text, "sheet=");
    const auto place = parse_place(line_of(text, "place=").value_or(""));
    if (!gpu_line || !nodes || !sheet || !place) {
        return Status(ErrorCode::kMalformed, path + ": is no note of a job, or not all of it");
    }
    auto gpus = parse_gpus(*gpu_line);
    if (!gpus) {
        return gpus.status().with_context(path);
    }
    return JobNote{std::move(gpus).value(), *nodes, *sheet, *place};
}

void remove_note(const std::string& path) {
    unlink(path.c_str());
}

}  // namespace yardmaster
