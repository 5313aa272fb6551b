#include "cli/app.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "cli/check.hpp"
#include "cli/doctor/doctor.hpp"
#include "cli/drains.hpp"
#include "cli/explain.hpp"
#include "cli/fabric_check.hpp"
#include "cli/fabric_export.hpp"
#include "cli/fabric_status.hpp"
#include "cli/help.hpp"
#include "cli/plan.hpp"
#include "cli/ranks.hpp"
#include "cli/replay.hpp"
#include "replay/comparison.hpp"

namespace yardmaster::cli {
namespace {

/// Holds every command's options while CLI11 fills them, and the command that was chosen.
class App {
  public:
    App(const SlurmConnector& connect, const Console& console)
        : connect_(connect), console_(console) {
        app_.set_version_flag("--version", "yardmaster " YM_VERSION);
        app_.set_help_flag("-h,--help", "Print this help and exit");
        app_.require_subcommand(1);
        app_.footer(kMainHelp);
        add_fabric();
        add_plan();
        add_explain();
        add_ranks();
        add_replay();
        add_drains();
        add_check();
        add_doctor();
    }

    CommandText describe() const { return command_text(app_); }

    /// Only whether the words make a command line; runs nothing.
    Status understand(std::vector<std::string> arguments) {
        std::reverse(arguments.begin(), arguments.end());
        try {
            app_.parse(std::move(arguments));
        } catch (const CLI::Success&) {  // --help, --version
            return Status::ok();
        } catch (const CLI::ParseError& error) {
            return {ErrorCode::kInvalidArgument, error.what()};
        }
        return Status::ok();
    }

    int run(std::vector<std::string> arguments) {
        // CLI11 takes them from the back.
        std::reverse(arguments.begin(), arguments.end());
        try {
            app_.parse(std::move(arguments));
        } catch (const CLI::Success& asked_for) {  // --help, --version
            return app_.exit(asked_for, console_.out, console_.err);
        } catch (const CLI::ParseError& error) {
            return fail(console_,
                        {ErrorCode::kInvalidArgument,
                         std::string(error.what()) + "; `yardmaster --help` lists the commands"});
        }
        return command_();
    }

  private:
    CLI::App* add(CLI::App& parent, const char* name, const char* purpose, const char* help) {
        CLI::App* command = parent.add_subcommand(name, purpose);
        command->footer(help);
        return command;
    }

    static void add_policy(CLI::App& command, std::string& file) {
        command.add_option("--policy", file, "Instead of the yardmaster.json beside slurm.conf")
            ->type_name(kValueFile);
    }

    /// Connects to slurmctld, then runs `command` with the connection.
    template <typename Command>
    ExitCode with_slurm(Command command) {
        auto slurm = connect_();
        return slurm ? command(**slurm) : fail(console_, slurm.status());
    }

    void add_fabric() {
        CLI::App* fabric = app_.add_subcommand("fabric", "Work with fabric files");
        fabric->require_subcommand(1);
        CLI::App* check =
            add(*fabric, "check", "Check a fabric file, alone or against Slurm", kFabricCheckHelp);
        check->add_option("FILE", fabric_check_.file, "The fabric file")
            ->required()
            ->type_name(kValueFile);
        check->add_flag("--live", fabric_check_.live, "Compare with slurmctld's nodes");
        check->add_flag("--json", fabric_check_.json, "Write JSON");
        check->callback([this] {
            command_ = [this] {
                if (!fabric_check_.live) {
                    return run_fabric_check(fabric_check_, nullptr, console_);
                }
                return with_slurm([this](SlurmClient& slurm) {
                    return run_fabric_check(fabric_check_, &slurm, console_);
                });
            };
        });
        add_export(*fabric);
        add_status(*fabric);
    }

    void add_export(CLI::App& fabric) {
        CLI::App* command = add(
            fabric, "export", "Write what makes Slurm rank nodes by the fabric", kFabricExportHelp);
        command->add_option("FILE", fabric_export_.file, "The fabric file")
            ->required()
            ->type_name(kValueFile);
        command->add_option("--format", fabric_export_.format, "topology.conf stands for tree")
            ->required()
            ->check(CLI::IsMember({"tree", "block", "names", "topology.conf"}))
            ->type_name(kValueWord);
        command
            ->add_option("--slurm",
                         fabric_export_.slurm,
                         "For this version of Slurm; default: the one this program was built for")
            ->type_name(kValueVersion);
        command->add_option("--prefix", fabric_export_.prefix, "Of new names (--format names)")
            ->capture_default_str()
            ->type_name(kValueName);
        command->add_option("-o,--output", fabric_export_.output, "A file, replaced as a whole")
            ->type_name(kValueFile);
        command->callback(
            [this] { command_ = [this] { return run_fabric_export(fabric_export_, console_); }; });
    }

    void add_status(CLI::App& fabric) {
        CLI::App* status =
            add(fabric, "status", "Tell how much room the live cluster has", kFabricStatusHelp);
        status
            ->add_option(
                "--fabric", fabric_status_.fabric_file, "Instead of slurm.conf's neighbour")
            ->type_name(kValueFile);
        status->add_flag("--json", fabric_status_.json, "Write JSON");
        status->callback([this] {
            command_ = [this] {
                return with_slurm([this](SlurmClient& slurm) {
                    return run_fabric_status(fabric_status_, slurm, console_);
                });
            };
        });
    }

    void add_plan() {
        CLI::App* plan = add(app_, "plan", "Place a job on paper", kPlanHelp);
        plan->add_option("FABRIC", plan_.fabric_file, "The fabric file")
            ->required()
            ->type_name(kValueFile);
        plan->add_option("-N,--nodes", plan_.nodes, "Nodes to choose")
            ->required()
            ->type_name(kValueNumber)
            ->check(CLI::Range(1, 1000000));
        plan->add_option("-g,--gpus-per-node", plan_.gpus_per_node, "GPUs on each node; 0: none")
            ->required()
            ->type_name(kValueNumber)
            ->check(CLI::Range(0, 1024));
        plan->add_option("--hints", plan_.hints, "As in --constraint, e.g. 'tp8&pp2&rail'")
            ->type_name(kValueHints);
        plan->add_option("--busy", plan_.busy, "Nodes that are taken")->type_name(kValueNodes);
        plan->add_option("--part-used", plan_.part_used, "Nodes that are taken in part")
            ->type_name(kValueNodes);
        plan->add_option("--nodelist", plan_.nodelist, "Nodes that must be chosen")
            ->type_name(kValueNodes);
        add_policy(*plan, plan_.policy_file);
        plan->add_option("--candidates", plan_.candidates, "Candidate sets to show")
            ->type_name(kValueNumber)
            ->capture_default_str()
            ->check(CLI::Range(1, 64));
        plan->add_flag("--json", plan_.json, "Write JSON");
        plan->add_flag("--live", plan_.live, "Take from slurmctld what is free now");
        plan->add_flag(
            "--what-if", plan_.what_if, "Compare with an empty fabric, say who is in the way");
        plan->callback([this] {
            command_ = [this] {
                if (!plan_.live) {
                    return run_plan(plan_, nullptr, console_);
                }
                return with_slurm(
                    [this](SlurmClient& slurm) { return run_plan(plan_, &slurm, console_); });
            };
        });
    }

    void add_explain() {
        CLI::App* explain = add(app_, "explain", "Tell how a job was placed", kExplainHelp);
        explain->add_option("JOBID", explain_.job, "123, 123_4 or 123+1")
            ->required()
            ->type_name(kValueJob);
        explain->add_option("--fabric", explain_.fabric_file, "Instead of slurm.conf's neighbour")
            ->type_name(kValueFile);
        add_policy(*explain, explain_.policy_file);
        explain->add_option("--as", explain_.as, "Judge it as if it had these hints")
            ->type_name(kValueHints);
        explain->add_flag("--json", explain_.json, "Write JSON");
        explain->callback([this] {
            command_ = [this] {
                return with_slurm(
                    [this](SlurmClient& slurm) { return run_explain(explain_, slurm, console_); });
            };
        });
    }

    void add_ranks() {
        CLI::App* ranks = add(app_, "ranks", "Order a job's nodes for its launcher", kRanksHelp);
        auto* job =
            ranks->add_option("JOBID", ranks_.job, "123, 123_4 or 123+1")->type_name(kValueJob);
        auto* nodes = ranks->add_option("--nodes", ranks_.nodes, "Nodes, instead of a job")
                          ->type_name(kValueNodes);
        auto* gpus =
            ranks->add_option("-g,--gpus-per-node", ranks_.gpus_per_node, "GPUs on each node")
                ->check(CLI::Range(1, 64))
                ->type_name(kValueNumber);
        job->excludes(nodes);
        nodes->needs(gpus);
        ranks->add_option("--hints", ranks_.hints, "Instead of the job's own, e.g. 'tp8&pp2'")
            ->type_name(kValueHints);
        ranks->callback([this, job, nodes] {
            if (job->count() + nodes->count() == 0) {
                throw CLI::RequiredError("JOBID or --nodes");
            }
            command_ = [this] { return do_ranks(); };
        });
        add_rank_formats(*ranks);
    }

    void add_rank_formats(CLI::App& ranks) {
        ranks.add_option("--format", ranks_.format, "How to write it")
            ->capture_default_str()
            ->check(CLI::IsMember({"table", "srun", "hostfile", "mpirun", "torchrun", "env"}))
            ->type_name(kValueWord);
        ranks.add_option("--node", ranks_.node, "Write this node's lines only")
            ->type_name(kValueNode);
        ranks.add_option("--tasks-per-node", ranks_.tasks_per_node, "Default: one for each GPU")
            ->check(CLI::Range(1, 4096))
            ->type_name(kValueNumber);
        ranks.add_option("--port", ranks_.port, "torchrun's master port")
            ->capture_default_str()
            ->type_name(kValueNumber);
        ranks.add_option("--fabric", ranks_.fabric_file, "Instead of slurm.conf's neighbour")
            ->type_name(kValueFile);
        add_policy(ranks, ranks_.policy_file);
        ranks.add_option("-o,--output", ranks_.output, "A file, replaced as a whole")
            ->type_name(kValueFile);
        ranks.add_flag("--json", ranks_.json, "Write JSON");
    }

    ExitCode do_ranks() {
        if (ranks_.job.empty()) {
            return run_ranks(ranks_, nullptr, console_);
        }
        return with_slurm(
            [this](SlurmClient& slurm) { return run_ranks(ranks_, &slurm, console_); });
    }

    void add_replay() {
        CLI::App* replay =
            add(app_, "replay", "Play a stream of jobs with several placement rules", kReplayHelp);
        replay->add_option("TRACE", replay_.trace_file, "Separated values, as sacct -P writes them")
            ->required()
            ->type_name(kValueFile);
        replay->add_option("--fabric", replay_.fabric_file, "Instead of slurm.conf's neighbour")
            ->type_name(kValueFile);
        add_policy(*replay, replay_.policy_file);
        replay->add_option("--policies", replay_.policies, "Rules, joined with ','; default: all")
            ->delimiter(',')
            ->check(CLI::IsMember(policy_names()));
        replay->add_option("--svg", replay_.svg_file, "Draw the schedules into this file")
            ->type_name(kValueFile);
        replay->add_flag("--json", replay_.json, "Write JSON");
        replay->callback([this] { command_ = [this] { return run_replay(replay_, console_); }; });
    }

    void add_drains() {
        CLI::App* drains = add(app_, "drains", "List nodes drained by Yardmaster", kDrainsHelp);
        drains
            ->add_option("--evidence-dir",
                         drains_.evidence_dir,
                         "Where evidence may be readable; default: yardmaster.json's evidence_dir")
            ->type_name(kValueFolder);
        drains->add_flag("--json", drains_.json, "Write JSON");
        drains->callback([this] {
            command_ = [this] {
                return with_slurm(
                    [this](SlurmClient& slurm) { return run_drains(drains_, slurm, console_); });
            };
        });
    }

    void add_check() {
        CLI::App* check = add(app_, "check", "Check this node's GPUs and rails", kCheckHelp);
        check->add_option("--gpus", check_.gpus, "GPU indices, e.g. 0-3,6")->type_name(kValueGpus);
        check->add_option("--node", check_.node, "This node's name in Slurm")
            ->type_name(kValueNode);
        check->add_option("--fabric", check_.fabric_file, "Instead of slurm.conf's neighbour")
            ->type_name(kValueFile);
        add_policy(*check, check_.policy_file);
        check->add_flag("--json", check_.json, "Write the evidence as JSON");
        check->callback([this] { command_ = [this] { return run_check(check_, console_); }; });
    }

    void add_doctor() {
        CLI::App* doctor =
            add(app_, "doctor", "Tell what is wrong with this controller or node", kDoctorHelp);
        doctor
            ->add_option(
                "ROLE",
                doctor_.role,
                "What this host is: controller or node; default: found out from slurm.conf "
                "and the daemons that run here")
            ->check(CLI::IsMember({"controller", "node"}));
        doctor
            ->add_option("--node",
                         doctor_.node,
                         "This node's name in Slurm; default: the NodeName line with this host")
            ->type_name(kValueNode);
        doctor->add_flag("--json", doctor_.json, "Write JSON");
        doctor->callback([this] {
            command_ = [this] {
                return run_doctor(
                    doctor_, doctor::real_host(), std::getenv("SLURM_CONF"), console_);
            };
        });
    }

    const SlurmConnector& connect_;
    const Console& console_;
    CLI::App app_{"Yardmaster: places multi-GPU jobs by topology and checks the links they use",
                  "yardmaster"};
    FabricCheckOptions fabric_check_;
    FabricExportOptions fabric_export_;
    PlanOptions plan_;
    ExplainOptions explain_;
    RanksOptions ranks_;
    FabricStatusOptions fabric_status_;
    ReplayOptions replay_;
    DrainsOptions drains_;
    CheckOptions check_;
    DoctorOptions doctor_;
    std::function<int()> command_;
};

}  // namespace

int run_app(const std::vector<std::string>& arguments,
            const SlurmConnector& connect,
            const Console& console) {
    return App(connect, console).run(arguments);
}

namespace {

/// Hands `use` an App that runs nothing.
template <typename Use>
auto with_idle_app(Use use) {
    const SlurmConnector nowhere = [] {
        return Result<std::unique_ptr<SlurmClient>>(ErrorCode::kUnavailable, "nothing to run");
    };
    std::ostringstream nobody;
    const Console console{nobody, nobody};
    App app(nowhere, console);
    return use(app);
}

}  // namespace

CommandText describe_app() {
    return with_idle_app([](App& app) { return app.describe(); });
}

Status check_command_line(const std::vector<std::string>& arguments) {
    return with_idle_app([&](App& app) { return app.understand(arguments); });
}

}  // namespace yardmaster::cli
