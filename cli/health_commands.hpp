// The commands about checks, drains and what was kept of them, as a part of the command line.
#pragma once

#include <functional>
#include <string>

#include "cli/app.hpp"
#include "cli/check.hpp"
#include "cli/drains.hpp"
#include "cli/evidence.hpp"
#include "cli/journal.hpp"
#include "cli/recheck.hpp"
#include "cli/replay_evidence.hpp"
#include "cli/resume.hpp"

namespace yardmaster::cli {

/// A subcommand with the help that stands below its options.
CLI::App* add_command(CLI::App& parent, const char* name, const char* purpose, const char* help);

/// The option --policy, which goes into `file`.
void add_policy_option(CLI::App& command, std::string& file);

/// Holds their options while CLI11 fills them.
class HealthCommands {
  public:
    HealthCommands(const SlurmConnector& connect, const Console& console)
        : connect_(connect), console_(console) {}
    /// Adds them to `app`; the one that is chosen is put into `command`. Both must outlive parsing.
    void add_to(CLI::App& app, std::function<int()>& command);

  private:
    template <typename Options>
    using Runner = ExitCode (*)(const Options&, const Console&);
    template <typename Options>
    using SlurmRunner = ExitCode (*)(const Options&, SlurmClient&, const Console&);

    template <typename Options>
    void run_with(CLI::App& parsed, const Options& options, Runner<Options> runner);
    template <typename Options>
    void run_with(CLI::App& parsed, const Options& options, SlurmRunner<Options> runner);
    void add_drains(CLI::App& app);
    void add_evidence(CLI::App& app);
    void add_replay_evidence(CLI::App& app);
    void add_check(CLI::App& app);
    void add_recheck(CLI::App& app);
    void add_resume(CLI::App& app);
    void add_journal(CLI::App& app);

    const SlurmConnector& connect_;
    const Console& console_;
    std::function<int()>* command_ = nullptr;
    DrainsOptions drains_;
    EvidenceOptions evidence_;
    ReplayEvidenceOptions replay_evidence_;
    CheckOptions check_;
    RecheckOptions recheck_;
    ResumeOptions resume_;
    JournalOptions journal_;
};

}  // namespace yardmaster::cli
