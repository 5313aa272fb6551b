// Runs a command as the shell would and keeps what it printed.
#pragma once

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "cli/app.hpp"

namespace yardmaster::cli {

/// A controller with the nodes and jobs that a test gives it.
class FakeSlurm final : public SlurmClient {
  public:
    std::vector<SlurmNode> cluster;
    std::vector<SlurmJob> records;
    bool reachable = true;
    /// The nodes that undrain() was called for; shared by the copies of this controller.
    std::shared_ptr<std::vector<std::string>> undrained =
        std::make_shared<std::vector<std::string>>();
    /// Runs before the n-th look at the nodes, for what others do meanwhile.
    std::function<void(int, std::vector<SlurmNode>&)> before_look = [](int, auto&) {};

    std::string config_file() const override { return "/fake/slurm.conf"; }
    Result<std::vector<SlurmNode>> nodes() override {
        before_look(++looks_, cluster);
        return reachable ? Result<std::vector<SlurmNode>>(cluster) : silence();
    }
    Result<std::vector<SlurmJob>> jobs(std::uint32_t id) override {
        if (!reachable) {
            return silence();
        }
        std::vector<SlurmJob> found;
        for (const SlurmJob& job : records) {
            if (job.id == id || job.array_job == id) {
                found.push_back(job);
            }
        }
        return found.empty() ? Result<std::vector<SlurmJob>>(ErrorCode::kNotFound, "no such job")
                             : found;
    }

    Result<std::vector<SlurmJob>> jobs_on_nodes() override {
        if (!reachable) {
            return silence();
        }
        std::vector<SlurmJob> found;
        for (const SlurmJob& job : records) {
            if (job.phase == SlurmJob::Phase::kRunning) {
                found.push_back(job);
            }
        }
        return found;
    }

    Status undrain(const std::string& node) override {
        undrained->push_back(node);
        return Status::ok();
    }

  private:
    int looks_ = 0;
    static Status silence() { return {ErrorCode::kUnavailable, "slurmctld does not answer"}; }
};

struct CommandRun {
    int code = -1;
    std::string out;
    std::string err;
};

/// `yardmaster WORD...`; what asks slurmctld gets a copy of `slurm`.
inline CommandRun run_command(const std::vector<std::string>& words, const FakeSlurm& slurm = {}) {
    std::ostringstream out;
    std::ostringstream err;
    const Console console{out, err};
    const auto connect = [&slurm]() -> Result<std::unique_ptr<SlurmClient>> {
        return std::unique_ptr<SlurmClient>(std::make_unique<FakeSlurm>(slurm));
    };
    const int code = run_app(words, connect, console);
    return {code, out.str(), err.str()};
}

inline std::string data_file(const std::string& name) {
    return std::string(YM_TEST_DATA) + "/" + name;
}

}  // namespace yardmaster::cli
