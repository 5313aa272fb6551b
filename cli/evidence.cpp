#include "cli/evidence.hpp"

#include "base/json_value.hpp"
#include "cli/check_scope.hpp"
#include "cli/evidence_text.hpp"
#include "cli/site_policy.hpp"
#include "healthcheck/evidence.hpp"

namespace yardmaster::cli {
namespace {

/// Where to look for a bundle that is not in `directory`.
Status not_here(const EvidenceOptions& options,
                const std::string& node,
                const std::string& directory) {
    const std::string file = directory + "/" + options.id + ".json";
    if (!options.directory.empty() || node == own_node_name()) {
        return {ErrorCode::kNotFound,
                file + ": not there (the newest " + std::to_string(kMaxEvidenceFiles) +
                    " bundles of a node are kept; `ls " + directory + "` shows them)"};
    }
    return {ErrorCode::kNotFound,
            "the bundle lies on " + node + ", this host is " + own_node_name() +
                ". There, as root: yardmaster evidence " + options.id + "; or copy it here: scp " +
                node + ":" + file + " . && yardmaster evidence " + options.id + " --dir ."};
}

Result<std::string> folder_of(const EvidenceOptions& options, const std::string& node) {
    if (!options.directory.empty()) {
        return options.directory;
    }
    const auto policy = read_site_policy("", node);
    return policy ? Result<std::string>(policy->evidence_dir) : policy.status();
}

}  // namespace

ExitCode run_evidence(const EvidenceOptions& options, const Console& console) {
    const auto name = parse_evidence_id(options.id);
    if (!name) {
        return fail(console,
                    {ErrorCode::kInvalidArgument,
                     "\"" + options.id +
                         "\" is no evidence id; they read NODE-JOB-SECONDS (see `yardmaster "
                         "drains`), a file is shown with --dir FOLDER and its name without .json"});
    }
    const auto folder = folder_of(options, name->node);
    if (!folder) {
        return fail(console, folder.status());
    }
    const std::string file = *folder + "/" + options.id + ".json";
    const auto evidence = load_evidence(file);
    if (!evidence) {
        return fail(console,
                    evidence.status().code() == ErrorCode::kNotFound
                        ? not_here(options, name->node, *folder)
                        : evidence.status());
    }
    if (options.json) {
        console.out << to_json(*evidence).dump_exact(2) << '\n';
    } else {
        print_evidence(*evidence, file, console.out);
    }
    return kExitOk;
}

}  // namespace yardmaster::cli
