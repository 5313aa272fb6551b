// The SPANK hooks and the guard at the C edge.
#include <slurm/slurm.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "plugin/spank/job_note.hpp"
#include "plugin/spank/spank_hooks.h"
#include "plugin/spank/step_ranks.hpp"

namespace yardmaster {
namespace {

constexpr const char* kDefaultFolder = "/run/yardmaster";
/// A user's wish to be left alone.
constexpr const char* kSwitch = "YARDMASTER_SPANK";

void tell_error(const char* what) noexcept {
    slurm_error("spank_yardmaster: %s", what);
}

/// Runs `body`, which returns a Status; whatever goes wrong ends in the log.
template <typename Body>
void guarded(Body body) noexcept {
    try {
        const Status status = body();
        if (!status) {
            tell_error(status.message().c_str());
        }
    } catch (const std::exception& error) {
        tell_error(error.what());
    } catch (...) {
        tell_error("internal error of unknown kind");
    }
}

/// The value of "state_dir=" among the words of plugstack.conf.
std::string note_folder(int argc, char** argv) {
    constexpr std::string_view kKey = "state_dir=";
    for (int i = 0; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word.starts_with(kKey)) {
            return std::string(word.substr(kKey.size()));
        }
    }
    return kDefaultFolder;
}

const char* get_environment(const char* name) {
    return std::getenv(name);
}

/// The path of the note, from a prolog's or epilog's environment.
Result<std::string> path_of_script(int argc, char** argv) {
    const char* id = std::getenv("SLURM_JOB_ID");
    const char* node = std::getenv("SLURMD_NODENAME");
    std::uint32_t job = 0;
    const char* end = id == nullptr ? nullptr : id + std::strlen(id);
    if (id == nullptr || node == nullptr || std::from_chars(id, end, job).ptr != end || job == 0) {
        return Status(ErrorCode::kMalformed,
                      "SLURM_JOB_ID or SLURMD_NODENAME is not set as it should be");
    }
    return note_path(note_folder(argc, argv), job, node);
}

Status leave_note(int argc, char** argv) {
    const auto path = path_of_script(argc, argv);
    if (!path) {
        return path.status();
    }
    remove_note(*path);  // of an earlier start: better none than one that is no longer true
    const auto note = note_from_environment(&get_environment);
    return note ? write_note(*path, *note) : note.status();
}

/// slurmstepd's side of one process.
class Step {
  public:
    explicit Step(spank_t spank) : spank_(spank) {
        if (spank_get_item(spank_, S_JOB_ENV, &environment_) != ESPANK_SUCCESS) {
            environment_ = nullptr;
        }
    }

    template <typename Value>
    Value item(spank_item_t which) const {
        Value value{};
        return spank_get_item(spank_, which, &value) == ESPANK_SUCCESS ? value : Value{};
    }

    std::string variable(std::string_view name) const {
        for (char** entry = environment_; entry != nullptr && *entry != nullptr; ++entry) {
            const std::string_view text = *entry;
            if (text.starts_with(name) && text.size() > name.size() && text[name.size()] == '=') {
                return std::string(text.substr(name.size() + 1));
            }
        }
        return {};
    }

    /// What an earlier process of the job handed down must not stay beside what is true here.
    void replace(const std::vector<RankVariable>& variables) const {
        for (const std::string_view name : rank_variable_names()) {
            spank_unsetenv(spank_, name.data());
        }
        for (const RankVariable& variable : variables) {
            spank_setenv(spank_, variable.name.c_str(), variable.value.c_str(), 1);
        }
    }

  private:
    spank_t spank_;
    char** environment_ = nullptr;
};

ProcessFacts facts_of(const Step& step) {
    ProcessFacts facts;
    const auto id = step.item<std::uint32_t>(S_JOB_STEPID);
    facts.whole_job = id == SLURM_BATCH_SCRIPT || id == SLURM_INTERACTIVE_STEP;
    facts.node = step.variable("SLURMD_NODENAME");
    facts.nnodes = step.item<std::uint32_t>(S_JOB_NNODES);
    facts.node_id = step.item<std::uint32_t>(S_JOB_NODEID);
    facts.local = static_cast<std::uint32_t>(step.item<int>(S_TASK_ID));
    if (!facts.whole_job) {
        facts.nodes = step.variable("SLURM_STEP_NODELIST");
        facts.tasks_per_node = step.variable("SLURM_STEP_TASKS_PER_NODE");
    }
    return facts;
}

/// The prolog's note. Without one nothing is told: other nodes may have theirs, and two orders in
/// one job would give two processes the same rank.
Result<JobNote> note_of(const Step& step, const std::string& folder, const std::string& node) {
    const auto path = note_path(folder, step.item<std::uint32_t>(S_JOB_ID), node);
    return path ? read_note(*path) : path.status();
}

bool is_missing(const Status& status) {
    return status.code() == ErrorCode::kNotFound;
}

Status tell_process(spank_t spank, const std::string& folder) {
    const Step step(spank);
    if (step.variable(kSwitch) == "off") {
        return Status::ok();
    }
    const ProcessFacts facts = facts_of(step);
    const auto note = note_of(step, folder, facts.node);
    const auto ranks = note ? ranks_of(*note, facts) : note.status();
    step.replace(ranks ? ranks->variables : std::vector<RankVariable>{});
    if (facts.local > 0) {
        return Status::ok();  // one complaint a node is enough
    }
    if (ranks ? !ranks->remark.empty() : is_missing(ranks.status())) {
        // Not the user's to mend: to slurmd's log alone, and not to the step's standard error.
        slurm_info("spank_yardmaster: %s",
                   (ranks ? ranks->remark : ranks.status().message()).c_str());
        return Status::ok();
    }
    return ranks.status();
}

}  // namespace
}  // namespace yardmaster

extern "C" void ym_spank_job_prolog(int argc, char** argv) {
    yardmaster::guarded([&] { return yardmaster::leave_note(argc, argv); });
}

extern "C" void ym_spank_job_epilog(int argc, char** argv) {
    yardmaster::guarded([&] {
        const auto path = yardmaster::path_of_script(argc, argv);
        if (path) {
            yardmaster::remove_note(*path);
        }
        return path.status();
    });
}

extern "C" void ym_spank_task_init(spank_t spank, int argc, char** argv) {
    yardmaster::guarded(
        [&] { return yardmaster::tell_process(spank, yardmaster::note_folder(argc, argv)); });
}
