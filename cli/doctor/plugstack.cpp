#include "cli/doctor/plugstack.hpp"

#include <algorithm>

#include "cli/doctor/plugin_dir.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// Files that include one another for ever end here; Slurm itself has no limit.
constexpr int kMaxDepth = 16;

/// Blanks part words and '#' ends a line: there are no quotes and no escapes.
std::vector<std::string> words_of(std::string line) {
    line.erase(std::min(line.find('#'), line.size()));
    std::replace(line.begin(), line.end(), '\t', ' ');
    return split(line, ' ');
}

class Reader {
  public:
    Reader(const Host& host, std::vector<PlugstackLine>& lines) : host_(host), lines_(lines) {}

    Status read(const std::string& file, int depth = 0) {
        auto text = read_text(host_, file);
        if (!text) {
            return text.status().code() == ErrorCode::kNotFound ? Status::ok() : text.status();
        }
        unsigned number = 0;
        for (std::size_t begin = 0; begin < text->size(); ++number) {
            const std::size_t end = std::min(text->find('\n', begin), text->size());
            const std::string place = file + ":" + std::to_string(number + 1);
            if (Status status = take(words_of(text->substr(begin, end - begin)), place, depth);
                !status) {
                return status;
            }
            begin = end + 1;
        }
        return Status::ok();
    }

  private:
    Status take(const std::vector<std::string>& words, const std::string& place, int depth) {
        if (words.size() < 2) {
            return Status::ok();
        }
        if (words[0] != "include") {
            lines_.push_back({words[0], words[1], place});
            return Status::ok();
        }
        if (depth == kMaxDepth) {
            return {ErrorCode::kMalformed, place + ": files include one another"};
        }
        const std::string folder = place.substr(0, place.rfind('/') + 1);
        const bool absolute = words[1].starts_with('/');
        for (const std::string& file : matches(host_, (absolute ? "" : folder) + words[1])) {
            if (Status status = read(file, depth + 1); !status) {
                return status;
            }
        }
        return Status::ok();
    }

    const Host& host_;
    std::vector<PlugstackLine>& lines_;
};

}  // namespace

std::string plugstack_file(const Case& examined) {
    const std::string set = examined.value_of("PlugStackConfig");
    return set.empty() ? examined.beside_conf("plugstack.conf") : set;
}

Result<std::vector<PlugstackLine>> read_plugstack(const Host& host, const std::string& file) {
    std::vector<PlugstackLine> lines;
    if (Status status = Reader(host, lines).read(file); !status) {
        return status;
    }
    return lines;
}

std::vector<PlugstackLine> our_plugstack_lines(const Case& examined) {
    auto lines = read_plugstack(examined.host, plugstack_file(examined));
    if (!lines) {
        return {};
    }
    std::erase_if(*lines, [](const PlugstackLine& line) {
        return line.file.find(kSpankFile) == std::string::npos;
    });
    return *lines;
}

std::string plugin_of(const Case& examined, const PlugstackLine& line) {
    if (!line.file.starts_with('/')) {
        for (const std::string& folder : plugin_folders(examined)) {
            if (look_at(examined.host, folder + "/" + line.file)) {
                return folder + "/" + line.file;
            }
        }
    }
    return line.file;
}

}  // namespace yardmaster::cli::doctor
