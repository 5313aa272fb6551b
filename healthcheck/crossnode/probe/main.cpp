// yardmaster-crossnode-probe: one node's part of the meeting of a job's nodes, as a program of its
// own, because a driver or munged may hang it.
#include <unistd.h>

#include <csignal>
#include <thread>

#include "base/json_value.hpp"
#include "healthcheck/budget/child.hpp"
#include "healthcheck/crossnode/cross_json.hpp"
#include "healthcheck/crossnode/meeting.hpp"
#include "healthcheck/crossnode/probe/crossnode_probe_options.hpp"

namespace yardmaster {
namespace {

constexpr int kStdout = 1;
/// After the budget and this, a call that does not return ends the program, as far as the kernel
/// lets it: for use by hand. The check itself gives the probe up at its own deadline.
constexpr unsigned kLastGraceS = 5;

void say(const char* kind, JsonValue value) {
    write_line(kStdout, JsonValue::object().set(kind, std::move(value)).dump_exact());
}

int fail(const std::string& why) {
    say("cross_error", why);
    return 1;
}

/// What this machine lacks is no fault of the meeting.
int cannot(const std::string& why) {
    say("cross_not_run", why);
    return 1;
}

/// Serves the meeting beside this node's own member, when this is the first node.
class Hub {
  public:
    Hub(const MeetingSettings& settings, bool wanted, const CrossProbeOptions& options) {
        if (wanted) {
            thread_ = std::thread([this, settings, &options] { serve(settings, options); });
        }
    }
    ~Hub() { static_cast<void>(end()); }

    /// Waits for its end, which is the meeting's; what went wrong.
    Status end() {
        if (thread_.joinable()) {
            thread_.join();
        }
        return status_;
    }

  private:
    /// libmunge's contexts are not for two threads: the hub has its own.
    void serve(const MeetingSettings& settings, const CrossProbeOptions& options) {
        const auto seal = make_munge_seal(options.munge_library, options.munge_socket);
        status_ = seal ? run_hub(settings, **seal) : seal.status();
    }

    std::thread thread_;
    Status status_;
};

void report(const OverMessage& over, Clock::time_point begin) {
    for (const CrossPeer& peer : over.peers) {
        say("cross_peer", to_json(peer));
    }
    for (const CrossEdge& edge : over.edges) {
        say("cross_edge", to_json(edge));
    }
    if (!over.note.empty()) {
        say("cross_not_run", over.note);
    }
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    say("cross_end", JsonValue::object().set("took_ms", took.count()));
}

int meet(CrossProbeOptions& options, Seal& seal, VerbsApi& verbs, Clock::time_point begin) {
    const auto on_step = [](const std::string& step) { say("cross_step", step); };
    const MeetingSettings settings{options.hello.meeting,
                                   options.nodes,
                                   options.tcp_port,
                                   begin + options.meet,
                                   begin + options.budget,
                                   options.max_loss};
    const auto meter = make_verbs_meter(verbs, options.measure, on_step);
    options.hello.left_s = std::chrono::duration<double>(settings.deadline - Clock::now()).count();
    Hub hub(settings, options.hello.node == options.nodes.front(), options);
    const auto over =
        run_member(settings, options.hub_address, options.hello, seal, *meter, on_step);
    if (!over) {
        const Status served = hub.end();
        return fail(served ? over.status().message() : served.message());
    }
    report(*over, begin);
    return 0;
}

int run(CrossProbeOptions& options) {
    const auto begin = Clock::now();
    say("cross_probe", JsonValue::object().set("version", YM_VERSION));
    const auto seal = make_munge_seal(options.munge_library, options.munge_socket);
    if (!seal) {
        return cannot(seal.status().message());
    }
    say("cross_step", "load " + options.verbs_library);
    const auto verbs = make_verbs(options.verbs_library);
    if (Status status = verbs->init(); !status) {
        return cannot(status.message());
    }
    return meet(options, **seal, *verbs, begin);
}

}  // namespace
}  // namespace yardmaster

int main(int argc, char** argv) {
    int exit_status = 0;
    auto options = yardmaster::parse_crossnode_probe_options(argc, argv, exit_status);
    if (!options) {
        return exit_status;
    }
    std::signal(SIGPIPE, SIG_IGN);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(options->budget);
    alarm(static_cast<unsigned>(seconds.count()) + yardmaster::kLastGraceS);
    return yardmaster::run(*options);
}
