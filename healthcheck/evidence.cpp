#include "healthcheck/evidence.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/json_value.hpp"
#include "healthcheck/private_file.hpp"

namespace yardmaster {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".json";

/// The time at the end of an id; ids sort by it, whatever their job.
long id_time(const std::string& id) {
    return std::stol(id.substr(id.rfind('-') + 1));
}

void drop_oldest(const std::string& directory) {
    const auto ids = list_evidence(directory);
    if (!ids || ids->size() <= kMaxEvidenceFiles) {
        return;
    }
    for (std::size_t i = 0; i < ids->size() - kMaxEvidenceFiles; ++i) {
        unlink((directory + "/" + (*ids)[i] + std::string(kSuffix)).c_str());
    }
}

bool digits(std::string_view text, std::size_t most) {
    return !text.empty() && text.size() <= most &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool name_characters(std::string_view text) {
    return !text.empty() && text.front() != '.' &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' ||
                      c == '-';
           });
}

}  // namespace

std::string make_evidence_id(const std::string& node, std::uint32_t job, std::time_t time) {
    return node + "-" + std::to_string(job) + "-" + std::to_string(time);
}

bool is_evidence_id(const std::string& id) {
    const auto time = id.rfind('-');
    const auto job =
        time == std::string::npos || time == 0 ? std::string::npos : id.rfind('-', time - 1);
    if (job == std::string::npos) {
        return false;
    }
    const std::string_view view = id;
    return id.size() < 200 && name_characters(view.substr(0, job)) &&
           digits(view.substr(job + 1, time - job - 1), 10) && digits(view.substr(time + 1), 12);
}

std::optional<EvidenceName> parse_evidence_id(const std::string& id) {
    if (!is_evidence_id(id)) {
        return std::nullopt;
    }
    const auto time = id.rfind('-');
    const auto job = id.rfind('-', time - 1);
    const unsigned long number = std::stoul(id.substr(job + 1, time - job - 1));
    if (number > UINT32_MAX) {
        return std::nullopt;
    }
    return EvidenceName{id.substr(0, job), static_cast<std::uint32_t>(number), id_time(id)};
}

Status write_evidence(const Evidence& evidence, const std::string& directory) {
    if (!is_evidence_id(evidence.id)) {
        return {ErrorCode::kInvalidArgument, "evidence id \"" + evidence.id + "\" is malformed"};
    }
    const std::string text = to_json(evidence).dump_exact(1) + "\n";
    if (Status status = write_private_file(directory, evidence.id + std::string(kSuffix), text);
        !status) {
        return status;
    }
    drop_oldest(directory);
    return Status::ok();
}

Result<Evidence> load_evidence(const std::string& file) {
    auto document = JsonDocument::load(file);
    if (!document) {
        return document.status();
    }
    Evidence evidence;
    if (Status status = from_json(document->root(), evidence); !status) {
        return status.with_context(file);
    }
    return evidence;
}

Result<std::vector<std::string>> list_evidence(const std::string& directory) {
    std::vector<std::string> ids;
    std::error_code error;
    fs::directory_iterator entry(directory, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename();
        if (name.ends_with(kSuffix) && is_evidence_id(name.substr(0, name.size() - 5))) {
            ids.push_back(name.substr(0, name.size() - 5));
        }
    }
    if (error) {
        return Status(error == std::errc::no_such_file_or_directory ? ErrorCode::kNotFound
                                                                    : ErrorCode::kUnreadable,
                      directory + ": " + error.message());
    }
    std::sort(ids.begin(), ids.end(), [](const std::string& a, const std::string& b) {
        return std::pair(id_time(a), a) < std::pair(id_time(b), b);
    });
    return ids;
}

}  // namespace yardmaster
