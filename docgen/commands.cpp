// The `yardmaster` command and the probes, from what their parsers know.
#include <algorithm>

#include "cli/app.hpp"
#include "docgen/parts.hpp"
#include "docgen/text.hpp"
#include "healthcheck/crossnode/probe/crossnode_probe_options.hpp"
#include "healthcheck/nccl/probe/nccl_probe_options.hpp"
#include "healthcheck/rdma/probe/probe_options.hpp"

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

std::string probe_text(const CLI::App& parser) {
    const CommandText probe = cli::command_text(parser);
    std::string text = "```\n" + probe.name + " [OPTION...]";
    for (const OptionText& option : probe.options) {
        const std::string many = placeholder(option) + "...";
        text += !option.positional ? "" : option.required ? " " + many : " [" + many + "]";
    }
    text += "\n```\n\n" + help_as_markdown(probe.purpose) + "\n" + options_table(probe) + "\n";
    return text + help_as_markdown(probe.help);
}

}  // namespace

std::string rdma_probe_part() {
    std::string text;
    see_probe_parser([&](const CLI::App& parser) { text = probe_text(parser); });
    return text;
}

std::string nccl_probe_part() {
    std::string text;
    see_nccl_probe_parser([&](const CLI::App& parser) { text = probe_text(parser); });
    return text;
}

std::string crossnode_probe_part() {
    std::string text;
    see_crossnode_probe_parser([&](const CLI::App& parser) { text = probe_text(parser); });
    return text;
}

std::string commands_part() {
    std::string text;
    add_commands(cli::describe_app(), text);
    return text;
}

}  // namespace yardmaster::docgen
