// ym-docgen: writes what docs/, the man pages and the bash completion say from the code. A tool of
// the build; not installed.
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/app.hpp"
#include "docgen/completion.hpp"
#include "docgen/parts.hpp"
#include "docgen/roff.hpp"

namespace {

using namespace yardmaster;
using namespace yardmaster::docgen;

constexpr const char* kUsage =
    "usage: ym-docgen fill PAGE.md...                 write the generated parts of pages anew\n"
    "       ym-docgen man NAME SECTION PURPOSE PAGE.md   a manual page to standard output\n"
    "       ym-docgen parse WORD...                   does the command understand these words?\n"
    "       ym-docgen completion                      the bash completion to standard output\n";

int fail(const std::string& message) {
    std::cerr << "ym-docgen: " << message << '\n';
    return 1;
}

Result<std::string> read(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in || text.fail()) {
        return Status(ErrorCode::kUnreadable, file + ": cannot be read");
    }
    return text.str();
}

Result<std::string> filled(const std::string& file) {
    const auto page = read(file);
    if (!page) {
        return page;
    }
    const auto text = fill_page(*page);
    return text ? text : Result<std::string>(text.status().with_context(file));
}

Status fill(const std::string& file) {
    const auto before = read(file);
    const auto after = filled(file);
    if (!after) {
        return after.status();
    }
    if (*before == *after) {
        return Status::ok();
    }
    std::ofstream out(file, std::ios::binary);
    out << *after;
    out.close();
    return out ? Status::ok() : Status(ErrorCode::kUnreadable, file + ": cannot be written");
}

int fill_all(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
        if (Status status = fill(file); !status) {
            return fail(status.message());
        }
    }
    return 0;
}

int print_man_page(const std::vector<std::string>& words) {
    const auto text = filled(words[3]);
    if (!text) {
        return fail(text.status().message());
    }
    std::cout << to_man_page({words[0], words[1], words[2], YM_VERSION}, *text);
    return std::cout.flush() ? 0 : fail("standard output cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
    const std::string action = argc > 1 ? argv[1] : "";
    const std::vector<std::string> words(argv + std::min(argc, 2), argv + argc);
    if (action == "fill" && !words.empty()) {
        return fill_all(words);
    }
    if (action == "man" && words.size() == 4) {
        return print_man_page(words);
    }
    if (action == "parse") {
        const Status status = cli::check_command_line(words);
        return status ? 0 : fail(status.message());
    }
    if (action == "completion" && words.empty()) {
        std::cout << bash_completion(cli::describe_app());
        return std::cout.flush() ? 0 : fail("standard output cannot be written");
    }
    std::cerr << kUsage;
    return 2;
}
