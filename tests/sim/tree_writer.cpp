#include "tests/sim/tree_writer.hpp"

#include <fstream>

namespace yardmaster::sim {

namespace fs = std::filesystem;

void TreeWriter::bytes(const fs::path& path, const std::string& content) {
    std::error_code error;
    fs::create_directories((root_ / path).parent_path(), error);
    std::ofstream out(root_ / path, std::ios::binary);
    out << content;
    out.close();
    note(out.good(), path);
}

void TreeWriter::link(const fs::path& path, const fs::path& target) {
    std::error_code error;
    fs::create_directories((root_ / path).parent_path(), error);
    fs::remove(root_ / path, error);
    fs::create_symlink(target.lexically_relative(path.parent_path()), root_ / path, error);
    note(!error, path);
}

void TreeWriter::note(bool good, const fs::path& path) {
    if (!good && status_) {
        status_ = {ErrorCode::kUnreadable, (root_ / path).string() + ": could not be written"};
    }
}

}  // namespace yardmaster::sim
