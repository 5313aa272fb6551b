#include "cli/command_text.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace yardmaster::cli {
namespace {

/// CLI11 writes "NUMBER:INT in [1 - 64]"; people read "1 to 64".
std::string limits_of(const std::string& type) {
    const auto open = type.find('[');
    const auto close = type.find(']');
    if (open == std::string::npos || close == std::string::npos) {
        return "";
    }
    std::string limits = type.substr(open + 1, close - open - 1);
    const auto dash = limits.find(" - ");
    return dash == std::string::npos ? limits : limits.replace(dash, 3, " to ");
}

/// "TEXT:{controller,node}" -> controller, node.
std::vector<std::string> choices_of(const std::string& type) {
    const auto open = type.find('{');
    const auto close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) {
        return {};
    }
    return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::vector<std::string> names_of(const CLI::Option& option) {
    if (option.get_positional()) {
        return {option.get_name(true)};
    }
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) {
        names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        names.push_back("--" + name);
    }
    return names;
}

OptionText option_text(const CLI::Option& option) {
    OptionText text;
    text.names = names_of(option);
    text.positional = option.get_positional();
    text.required = option.get_required();
    text.purpose = option.get_description();
    if (option.get_items_expected_max() > 0) {
        const std::string type = option.get_type_name();
        text.value = type.substr(0, type.find(':'));
        text.limits = limits_of(type);
        text.choices = choices_of(type);
        if (!text.choices.empty()) {
            text.value = kValueWord;
        }
        text.default_value = option.get_default_str();
    }
    return text;
}

}  // namespace

CommandText command_text(const CLI::App& app, const std::string& parents) {
    CommandText text;
    text.name = parents + (parents.empty() ? "" : " ") + app.get_name();
    text.purpose = app.get_description();
    text.help = app.get_footer();
    for (const CLI::Option* option : app.get_options()) {
        text.options.push_back(option_text(*option));
    }
    std::stable_partition(text.options.begin(), text.options.end(), [](const OptionText& option) {
        return option.positional;
    });
    for (const CLI::App* command : app.get_subcommands({})) {
        text.commands.push_back(command_text(*command, text.name));
    }
    return text;
}

}  // namespace yardmaster::cli
