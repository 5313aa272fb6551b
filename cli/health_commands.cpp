#include "cli/health_commands.hpp"

#include <CLI/CLI.hpp>

#include "cli/help.hpp"

namespace yardmaster::cli {
namespace {

constexpr const char* kEvidenceFolder =
    "Where evidence may be readable; default: yardmaster.json's evidence_dir";

}  // namespace

CLI::App* add_command(CLI::App& parent, const char* name, const char* purpose, const char* help) {
    CLI::App* command = parent.add_subcommand(name, purpose);
    command->footer(help);
    return command;
}

void add_policy_option(CLI::App& command, std::string& file) {
    command.add_option("--policy", file, "Instead of the yardmaster.json beside slurm.conf")
        ->type_name(kValueFile);
}

void HealthCommands::add_to(CLI::App& app, std::function<int()>& command) {
    command_ = &command;
    add_drains(app);
    add_evidence(app);
    add_replay_evidence(app);
    add_check(app);
    add_recheck(app);
    add_resume(app);
    add_journal(app);
}

template <typename Options>
void HealthCommands::run_with(CLI::App& parsed, const Options& options, Runner<Options> runner) {
    parsed.callback([this, &options, runner] {
        *command_ = [this, &options, runner] { return runner(options, console_); };
    });
}

template <typename Options>
void HealthCommands::run_with(CLI::App& parsed,
                              const Options& options,
                              SlurmRunner<Options> runner) {
    parsed.callback([this, &options, runner] {
        *command_ = [this, &options, runner]() -> int {
            auto slurm = connect_();
            return slurm ? runner(options, **slurm, console_) : fail(console_, slurm.status());
        };
    });
}

void HealthCommands::add_drains(CLI::App& app) {
    CLI::App* drains = add_command(app, "drains", "List nodes drained by Yardmaster", kDrainsHelp);
    drains->add_option("--evidence-dir", drains_.evidence_dir, kEvidenceFolder)
        ->type_name(kValueFolder);
    drains->add_flag("--json", drains_.json, "Write JSON");
    run_with(*drains, drains_, &run_drains);
}

void HealthCommands::add_evidence(CLI::App& app) {
    CLI::App* evidence = add_command(
        app, "evidence", "Show what was read, expected, concluded and done", kEvidenceHelp);
    evidence->add_option("ID", evidence_.id, "As in the drain reason: yard04-14-1796094669")
        ->required()
        ->type_name(kValueEvidence);
    evidence
        ->add_option("--dir",
                     evidence_.directory,
                     "Where the bundle lies; default: yardmaster.json's evidence_dir")
        ->type_name(kValueFolder);
    evidence->add_flag("--json", evidence_.json, "Write the bundle as JSON");
    run_with(*evidence, evidence_, &run_evidence);
}

void HealthCommands::add_replay_evidence(CLI::App& app) {
    CLI::App* replay = add_command(app,
                                   "replay-evidence",
                                   "Judge the readings of an evidence file again",
                                   kReplayEvidenceHelp);
    replay->add_option("FILE", replay_evidence_.file, "The evidence file")
        ->required()
        ->type_name(kValueFile);
    replay->add_flag("--json", replay_evidence_.json, "Write JSON");
    run_with(*replay, replay_evidence_, &run_replay_evidence);
}

void HealthCommands::add_check(CLI::App& app) {
    CLI::App* check = add_command(app, "check", "Check this node's GPUs and rails", kCheckHelp);
    check->add_option("--gpus", check_.gpus, "GPU indices, e.g. 0-3,6")->type_name(kValueGpus);
    check->add_option("--node", check_.node, "This node's name in Slurm")->type_name(kValueNode);
    check->add_option("--fabric", check_.fabric_file, "Instead of slurm.conf's neighbour")
        ->type_name(kValueFile);
    add_policy_option(*check, check_.policy_file);
    check->add_flag("--json", check_.json, "Write the evidence as JSON");
    run_with(*check, check_, &run_check);
}

void HealthCommands::add_recheck(CLI::App& app) {
    CLI::App* recheck = add_command(
        app, "recheck", "Check a node again, to tell whether it may be resumed", kRecheckHelp);
    recheck->add_option("NODE", recheck_.node, "This node's name in Slurm")
        ->required()
        ->type_name(kValueNode);
    recheck->add_option("--fabric", recheck_.fabric_file, "Instead of slurm.conf's neighbour")
        ->type_name(kValueFile);
    add_policy_option(*recheck, recheck_.policy_file);
    recheck->add_flag("--json", recheck_.json, "Write the evidence as JSON");
    run_with(*recheck, recheck_, &run_recheck);
}

void HealthCommands::add_resume(CLI::App& app) {
    CLI::App* resume = add_command(
        app, "resume", "Take back a drain of Yardmaster's after a re-check", kResumeHelp);
    resume->add_option("NODE", resume_.node, "Its name in Slurm")
        ->required()
        ->type_name(kValueNode);
    resume->add_option("--evidence-dir", resume_.evidence_dir, kEvidenceFolder)
        ->type_name(kValueFolder);
    run_with(*resume, resume_, &run_resume);
}

void HealthCommands::add_journal(CLI::App& app) {
    CLI::App* journal = add_command(app, "journal", "Count the incidents of nodes", kJournalHelp);
    journal->add_option("FILE", journal_.files, "Journals; default: this node's")
        ->type_name(kValueFile);
    journal->add_option("--since", journal_.since, "2026-11-30, 2026-11-30T21:04, 12h or 7d")
        ->type_name(kValueTime);
    journal->add_flag("--json", journal_.json, "Write JSON");
    run_with(*journal, journal_, &run_journal);
}

}  // namespace yardmaster::cli
