// The `yardmaster` command, from what its parser knows.
#include <algorithm>

#include "cli/app.hpp"
#include "docgen/parts.hpp"
#include "docgen/text.hpp"

namespace yardmaster::docgen {
namespace {

using cli::CommandText;
using cli::OptionText;

std::string placeholder(const OptionText& option) {
    return option.positional
               ? option.names.front()
               : option.names.back() + (option.value.empty() ? "" : " " + option.value);
}

bool is_help(const OptionText& option) {
    return option.names.back() == "--help";
}

std::string synopsis(const CommandText& command) {
    std::string text = command.name;
    for (const OptionText& option : command.options) {
        if (!is_help(option)) {
            text += option.required ? " " + placeholder(option) : " [" + placeholder(option) + "]";
        }
    }
    return text;
}

std::string names(const OptionText& option) {
    std::string text;
    for (const std::string& name : option.names) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return "`" + text + (option.positional || option.value.empty() ? "" : " " + option.value) + "`";
}

std::string meaning(const OptionText& option) {
    std::string text = option.purpose;
    for (std::size_t i = 0; i < option.choices.size(); ++i) {
        text += (i == 0 ? " (" : ", ") + option.choices[i] +
                (i + 1 == option.choices.size() ? ")" : "");
    }
    text += option.limits.empty() ? "" : " (" + option.limits + ")";
    text += option.default_value.empty() ? "" : "; default " + option.default_value;
    return text + (option.required ? "; needed" : "");
}

std::string options_table(const CommandText& command) {
    std::string text = "| option | meaning |\n|---|---|\n";
    for (const OptionText& option : command.options) {
        text += "| " + names(option) + " | " + in_cell(meaning(option)) + " |\n";
    }
    return text;
}

std::string command_text(const CommandText& command) {
    std::string text = "### " + command.name + "\n\n" + command.purpose + ".\n\n```\n";
    text += synopsis(command) + "\n```\n\n" + options_table(command) + "\n";
    return text + help_as_markdown(command.help);
}

void add_commands(const CommandText& command, std::string& text) {
    if (command.commands.empty()) {
        text += (text.empty() ? "" : "\n") + command_text(command);
    }
    for (const CommandText& below : command.commands) {
        add_commands(below, text);
    }
}

}  // namespace

std::string commands_part() {
    std::string text;
    add_commands(cli::describe_app(), text);
    return text;
}

}  // namespace yardmaster::docgen
