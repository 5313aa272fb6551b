#include "prolog/gpu_files.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "prolog/config_file.hpp"
#include "topology/hostlist.hpp"

namespace yardmaster {
namespace {

constexpr std::string_view kDevice = "nvidia";

/// "/dev/nvidia[0-3,5],/dev/x" -> its paths. expand_hostlist takes names only, so folders are kept
/// apart.
std::vector<std::string> expand_paths(const std::string& text) {
    std::vector<std::string> paths;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        depth += i < text.size() ? (text[i] == '[') - (text[i] == ']') : 0;
        if (i < text.size() && (text[i] != ',' || depth > 0)) {
            continue;
        }
        const std::string item = text.substr(begin, i - begin);
        const std::size_t name = item.rfind('/') + 1;  // 0 without a folder
        const auto names = expand_hostlist(item.substr(name));
        for (const std::string& one : names ? *names : std::vector<std::string>{}) {
            paths.push_back(item.substr(0, name) + one);
        }
        begin = i + 1;
    }
    return paths;
}

bool is_gpu(const NodeLine& line) {
    return lower_case(line.words.value_or("Name", "")) == "gpu";
}

/// "/dev/nvidia3" -> 3.
std::optional<unsigned> minor_of(const std::string& file) {
    const std::string_view name = std::string_view(file).substr(file.rfind('/') + 1);
    unsigned minor = 0;
    if (!name.starts_with(kDevice)) {
        return std::nullopt;
    }
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + kDevice.size(), end, minor);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(minor) : std::nullopt;
}

/// AutoDetect= for `node`, in lower case; a line that names the node stands above one for all.
std::string detection(const std::vector<NodeLine>& lines, const std::string& node) {
    std::string general;
    std::string own;
    for (const NodeLine& line : lines) {
        const Setting* setting = line.words.find("AutoDetect");
        if (setting != nullptr && is_about(line, node)) {
            (line.names.empty() ? general : own) = lower_case(setting->value);
        }
    }
    return own.empty() ? general : own;
}

/// Why the lines' order cannot be Slurm's; "" when it is. slurm.conf's Gres= orders the types.
std::string why_unordered(const std::vector<NodeLine>& lines, const std::string& node) {
    std::set<std::string> types;
    for (const NodeLine& line : lines) {
        if (!is_about(line, node) || !is_gpu(line)) {
            continue;
        }
        types.insert(line.words.value_or("Type", ""));
        if (line.words.find("MultipleFiles") != nullptr) {
            return line.place + " has MultipleFiles=";
        }
    }
    return types.size() > 1 ? "gres.conf has GPUs of several types for this node" : "";
}

GpuOrder listed(const std::vector<std::string>& files) {
    GpuOrder order{GpuNumbering::kMinor, {}, files.size(), ""};
    for (const std::string& file : files) {
        const auto minor = minor_of(file);
        if (!minor) {
            return {GpuNumbering::kUnknown,
                    {},
                    files.size(),
                    file + " in gres.conf is no /dev/nvidiaN"};
        }
        order.minors.push_back(*minor);
    }
    return order;
}

}  // namespace

bool is_about(const NodeLine& line, const std::string& node) {
    return line.names.empty() ||
           std::find(line.names.begin(), line.names.end(), node) != line.names.end();
}

std::vector<std::string> gpu_files(const std::vector<NodeLine>& lines, const std::string& node) {
    std::vector<std::string> files;
    for (const NodeLine& line : lines) {
        if (is_about(line, node) && is_gpu(line)) {
            const auto paths = expand_paths(line.words.value_or("File", ""));
            files.insert(files.end(), paths.begin(), paths.end());
        }
    }
    return files;
}

GpuOrder gpu_order(const std::vector<NodeLine>& lines, const std::string& node) {
    const std::string detected = detection(lines, node);
    const auto files = gpu_files(lines, node);
    if (detected == "nvml") {
        return {GpuNumbering::kNvml, {}, files.size(), ""};
    }
    if (files.empty() || (!detected.empty() && detected != "off")) {
        return {GpuNumbering::kMinorOrNvml, {}, files.size(), ""};
    }
    const std::string why = why_unordered(lines, node);
    return why.empty() ? listed(files) : GpuOrder{GpuNumbering::kUnknown, {}, files.size(), why};
}

GpuOrder read_gpu_order(const std::string& folder,
                        const std::string& node,
                        std::chrono::steady_clock::time_point deadline) {
    const std::string file = folder + "/gres.conf";
    const auto lines = read_gres_conf(
        file, [&](const std::string& path) { return read_config_file(path, deadline); });
    return lines ? gpu_order(*lines, node)
                 : GpuOrder{GpuNumbering::kUnknown, {}, 0, lines.status().message()};
}

}  // namespace yardmaster
