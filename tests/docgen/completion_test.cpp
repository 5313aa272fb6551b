#include "docgen/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/app.hpp"

namespace yardmaster::docgen {
namespace {

using testing::HasSubstr;

/// Calls `visit` with every option and argument of `command` and of those below it.
template <typename Visit>
void each_option(const cli::CommandText& command, Visit visit) {
    for (const cli::OptionText& option : command.options) {
        visit(command, option);
    }
    for (const cli::CommandText& below : command.commands) {
        each_option(below, visit);
    }
}

TEST(Completion, EveryValueIsOfAKnownKind) {
    int values = 0;
    each_option(cli::describe_app(), [&](const auto& command, const auto& option) {
        if (!option.value.empty()) {
            ++values;
            EXPECT_TRUE(is_known_value(option.value))
                << command.name << " " << option.names.back() << " takes a " << option.value
                << ": give it one of the kinds of cli/command_text.hpp with ->type_name()";
        }
    });
    EXPECT_GT(values, 10);
}

TEST(Completion, EveryOptionAndCommandIsInTheScript) {
    const std::string script = bash_completion(cli::describe_app());
    each_option(cli::describe_app(), [&](const auto& command, const auto& option) {
        for (const std::string& name : option.names) {
            EXPECT_TRUE(option.positional || script.find(name) != script.npos)
                << command.name << " " << name;
        }
    });
    EXPECT_THAT(script, HasSubstr("\"fabric\") echo \"check"));
    EXPECT_THAT(script, HasSubstr("\"plan -N\" | \"plan --nodes\") echo \"NUMBER\""));
    EXPECT_THAT(script, HasSubstr("\"fabric check 0\") echo \"FILE\""));
}

}  // namespace
}  // namespace yardmaster::docgen
