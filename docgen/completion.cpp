#include "docgen/completion.hpp"

#include <algorithm>
#include <iterator>

#include "topology/hint_words.hpp"

namespace yardmaster::docgen {
namespace {

using cli::CommandText;
using cli::OptionText;

// The part that does not depend on the commands. Words are read from COMP_WORDS, where bash has cut
// "--option=value" at the "=".
constexpr const char* kHead =
    R"BASH(# bash completion for yardmaster. Written by ym-docgen from the command line itself.

# Slurm is asked for two seconds at most; without an answer nothing is offered.
_yardmaster_slurm() {
    timeout 2 "$@" 2>/dev/null | sort -u | head -n 20000
}

# Offers the words of $1 that begin with the rest of $3 after its last $2.
_yardmaster_listed() {
    local head=""
    [[ $3 != *"$2"* ]] || head=${3%"$2"*}$2
    mapfile -t COMPREPLY < <(compgen -P "$head" -W "$1" -- "${3##*"$2"}")
}

# Offers values of kind $1 that begin with $2.
_yardmaster_values() {
    case $1 in
    "WORD "*)
        mapfile -t COMPREPLY < <(compgen -W "${1#WORD }" -- "$2") ;;
    FILE)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    FOLDER)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    NODE)
        mapfile -t COMPREPLY < <(compgen -W "$(_yardmaster_slurm sinfo -h -N -o %N)" -- "$2") ;;
    HOSTLIST)
        compopt -o nospace 2>/dev/null
        _yardmaster_listed "$(_yardmaster_slurm sinfo -h -N -o %N)" , "$2" ;;
    JOBID)
        local jobs
        jobs=$(_yardmaster_slurm squeue -h -o %i | grep -E '^[0-9]+([_+][0-9]+)?$')
        mapfile -t COMPREPLY < <(compgen -W "$jobs" -- "$2") ;;
    HINTS)
        compopt -o nospace 2>/dev/null
        _yardmaster_listed "$_yardmaster_hints" '&' "$2" ;;
    esac
}
)BASH";

constexpr const char* kTail =
    R"BASH(
_yardmaster() {
    local word command="" option="" arguments=0 i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ -n $option ]]; then
            [[ $word == "=" ]] || option=""
        elif [[ $word == -* ]]; then
            [[ -z $(_yardmaster_option_value "$command" "$word") ]] || option=$word
        elif [[ " $(_yardmaster_commands "$command") " == *" $word "* ]]; then
            command+=${command:+ }$word
        else
            arguments=$((arguments + 1))
        fi
    done
    word=${COMP_WORDS[COMP_CWORD]}
    if [[ -n $option ]]; then
        [[ $word != "=" ]] || word=""
        _yardmaster_values "$(_yardmaster_option_value "$command" "$option")" "$word"
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_yardmaster_options "$command")" -- "$word")
    elif [[ -n $(_yardmaster_commands "$command") ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_yardmaster_commands "$command")" -- "$word")
    else
        _yardmaster_values "$(_yardmaster_argument_value "$command" "$arguments")" "$word"
    fi
}

complete -F _yardmaster yardmaster
)BASH";

std::string hint_words() {
    std::string words;
    for (const SizedHint& hint : kSizedHints) {
        words += std::string(hint.stem) + " ";
    }
    for (const FlagHint& hint : kFlagHints) {
        words += std::string(hint.word) + " ";
    }
    words.pop_back();
    return words;
}

/// "fabric check" of "yardmaster fabric check": how the script calls a command.
std::string key_of(const CommandText& command) {
    const auto space = command.name.find(' ');
    return space == std::string::npos ? "" : command.name.substr(space + 1);
}

/// One line of a case: `"<pattern>") echo "<words>" ;;`.
std::string when(const std::string& patterns, const std::string& words) {
    return "    " + patterns + ") echo \"" + words + "\" ;;\n";
}

std::string function(const std::string& name,
                     const std::string& subject,
                     const std::string& cases) {
    return "\n" + name + "() {\n    case " + subject + " in\n" + cases + "    esac\n}\n";
}

struct Cases {
    std::string commands, options, option_values, argument_values;
};

/// The kind of an option's value, as _yardmaster_values takes it.
std::string kind_of(const OptionText& option) {
    std::string kind = option.value;
    for (const std::string& word : option.choices) {
        kind += " " + word;
    }
    return kind;
}

std::string last_word(const std::string& name) {
    return name.substr(name.rfind(' ') + 1);
}

void add_option(const std::string& key, const OptionText& option, Cases& cases) {
    std::string patterns;
    for (const std::string& name : option.names) {
        patterns += (patterns.empty() ? "\"" : " | \"") + key + " " + name + "\"";
    }
    if (!option.value.empty()) {
        cases.option_values += when(patterns, kind_of(option));
    }
}

void add_command(const CommandText& command, Cases& cases) {
    const std::string key = key_of(command);
    std::string below;
    std::string options;
    int arguments = 0;
    for (const CommandText& child : command.commands) {
        below += (below.empty() ? "" : " ") + last_word(child.name);
        add_command(child, cases);
    }
    for (const OptionText& option : command.options) {
        if (option.positional) {
            const std::string place = "\"" + key + " " + std::to_string(arguments++) + "\"";
            cases.argument_values += when(place, kind_of(option));
            continue;
        }
        for (const std::string& name : option.names) {
            options += (options.empty() ? "" : " ") + name;
        }
        add_option(key, option, cases);
    }
    cases.options += when("\"" + key + "\"", options);
    cases.commands += below.empty() ? "" : when("\"" + key + "\"", below);
}

}  // namespace

bool is_known_value(const std::string& kind) {
    const std::string known[] = {cli::kValueFile,
                                 cli::kValueFolder,
                                 cli::kValueNode,
                                 cli::kValueNodes,
                                 cli::kValueJob,
                                 cli::kValueHints,
                                 cli::kValueGpus,
                                 cli::kValueNumber,
                                 cli::kValueName,
                                 cli::kValueEvidence,
                                 cli::kValueTime,
                                 cli::kValueVersion,
                                 cli::kValueWord};
    return std::find(std::begin(known), std::end(known), kind) != std::end(known);
}

std::string bash_completion(const CommandText& command) {
    Cases cases;
    add_command(command, cases);
    return kHead + ("\n_yardmaster_hints=\"" + hint_words() + "\"\n") +
           "\n# By command: those below it, its options, the kinds of values that options and " +
           "arguments take." + function("_yardmaster_commands", "$1", cases.commands) +
           function("_yardmaster_options", "$1", cases.options) +
           function("_yardmaster_option_value", "\"$1 $2\"", cases.option_values) +
           function("_yardmaster_argument_value", "\"$1 $2\"", cases.argument_values) + kTail;
}

}  // namespace yardmaster::docgen
