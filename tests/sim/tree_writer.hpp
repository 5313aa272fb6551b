// Writes many small files and links below one root, and remembers the first failure.
#pragma once

#include <filesystem>
#include <string>

#include "base/status.hpp"

namespace yardmaster::sim {

class TreeWriter {
  public:
    explicit TreeWriter(std::filesystem::path root) : root_(std::move(root)) {}

    /// `text` and a line feed.
    void file(const std::filesystem::path& path, const std::string& text) {
        bytes(path, text + "\n");
    }
    void bytes(const std::filesystem::path& path, const std::string& content);
    /// A relative link at `path` to `target`, both below the root; replaces one that is there.
    void link(const std::filesystem::path& path, const std::filesystem::path& target);
    Status status() const { return status_; }

  private:
    void note(bool good, const std::filesystem::path& path);

    std::filesystem::path root_;
    Status status_;
};

}  // namespace yardmaster::sim
