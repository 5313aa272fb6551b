// What the command line says about itself, as plain data: the man page, docs/commands.md and the
// bash completion are made from it, so none of them can miss an option.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace yardmaster::cli {

/// What kind of value an option or argument takes. An option without one of these names as its
/// type (`->type_name(kValueFile)`) fails a test, since nobody could complete it.
inline constexpr const char* kValueFile = "FILE";
inline constexpr const char* kValueFolder = "FOLDER";
inline constexpr const char* kValueNode = "NODE";
inline constexpr const char* kValueNodes = "HOSTLIST";
inline constexpr const char* kValueJob = "JOBID";
inline constexpr const char* kValueHints = "HINTS";
inline constexpr const char* kValueGpus = "GPUS";
inline constexpr const char* kValueNumber = "NUMBER";
inline constexpr const char* kValueName = "NAME";        ///< free: nothing to offer
inline constexpr const char* kValueEvidence = "ID";      ///< of a bundle: nothing to offer
inline constexpr const char* kValueTime = "TIME";        ///< nothing to offer
inline constexpr const char* kValueVersion = "VERSION";  ///< of Slurm: nothing to offer
inline constexpr const char* kValueWord = "WORD";        ///< one of a few: OptionText::choices

struct OptionText {
    std::vector<std::string> names;    ///< "-N", "--nodes"; for an argument its name: "FABRIC"
    std::string value;                 ///< its kind, one of the above; "": a flag
    std::string limits;                ///< "1 to 64"; "": none
    std::vector<std::string> choices;  ///< the words that a kValueWord may be
    std::string default_value;         ///< "": none
    std::string purpose;
    bool positional = false;
    bool required = false;
};

struct CommandText {
    std::string name;  ///< with its parents': "yardmaster fabric check"
    std::string purpose;
    std::string help;  ///< what --help prints below the options: paragraphs, examples, exit codes
    std::vector<OptionText> options;  ///< arguments first, else in the order of --help
    std::vector<CommandText> commands;
};

CommandText command_text(const CLI::App& app, const std::string& parents = "");

}  // namespace yardmaster::cli
