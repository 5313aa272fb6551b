// A folder of its own for one test, gone when the test ends.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace yardmaster::testing {

class ScratchFolder {
  public:
    ScratchFolder() {
        // Memory, where there is such a place: a simulated node is hundreds of small files.
        const bool memory = access("/dev/shm", W_OK) == 0;
        const auto parent =
            memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path();
        std::string pattern = parent / "ym-test-XXXXXX";
        path_ = mkdtemp(pattern.data());
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    const std::string& path() const { return path_; }
    std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
};

inline void write_file(const std::string& file, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file) << text;
}

}  // namespace yardmaster::testing
