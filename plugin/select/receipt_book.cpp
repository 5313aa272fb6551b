#include "plugin/select/receipt_book.hpp"

#include <utility>

namespace yardmaster {
namespace {
// Jobs that were chosen for and then never began leave lines behind; a line lost is no harm.
constexpr std::size_t kMostLines = 10000;
}  // namespace

void ReceiptBook::keep(const ym_job* job, std::string line) {
    if (lines_.size() >= kMostLines) {
        lines_.clear();
    }
    lines_.insert_or_assign(job, std::move(line));
}

std::string ReceiptBook::take(const ym_job* job) {
    const auto found = lines_.find(job);
    if (found == lines_.end()) {
        return "";
    }
    std::string line = std::move(found->second);
    lines_.erase(found);
    return line;
}

}  // namespace yardmaster
