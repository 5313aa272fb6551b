// A simulated node's process with the real meter over the fake libibverbs, which ends the process
// on a leak.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "healthcheck/crossnode/member_work.hpp"
#include "tests/sim/sim_node.hpp"

namespace yardmaster::testing {

/// Answers messages, a line each, until an empty one comes.
class MeterProcess {
  public:
    MeterProcess(const HelloMessage& hello, const sim::SimNode& node, const MeasureSettings& how) {
        int to[2];
        int from[2];
        EXPECT_EQ(pipe(to) + pipe(from), 0);
        pid_ = fork();
        if (pid_ == 0) {
            close(to[1]);
            serve(hello, node, how, fdopen(to[0], "r"), fdopen(from[1], "w"));
            _exit(0);
        }
        close(to[0]);
        close(from[1]);
        in_ = fdopen(from[0], "r");
        out_ = fdopen(to[1], "w");
    }
    MeterProcess(const MeterProcess&) = delete;
    ~MeterProcess() {
        say(out_, "");  // closing is not enough: later processes have this end too
        std::fclose(out_);
        std::fclose(in_);
        int status = 0;
        EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
        EXPECT_EQ(status, 0) << "nothing is left behind";
    }

    void tell(const CrossMessage& message) { say(out_, to_text(message)); }
    template <typename Message>
    Message hear() {
        const auto message = parse_cross_message(line(in_));
        EXPECT_TRUE(message) << message.status().message();
        return std::get<Message>(*message);
    }

  private:
    static void say(FILE* out, const std::string& text) {
        std::fputs((text + "\n").c_str(), out);
        std::fflush(out);
    }
    static std::string line(FILE* in) {
        std::string text;
        for (int c = std::fgetc(in); c != EOF && c != '\n'; c = std::fgetc(in)) {
            text += static_cast<char>(c);
        }
        return text;
    }
    static void serve(const HelloMessage& hello,
                      const sim::SimNode& node,
                      const MeasureSettings& how,
                      FILE* in,
                      FILE* out) {
        const auto verbs = make_verbs(node.verbs_library());
        const std::function<void(const std::string&)> ignore = [](const std::string&) {};
        if (!verbs->init()) {
            _exit(1);
        }
        const auto meter = make_verbs_meter(*verbs, how, ignore);
        MemberWork work(hello, *meter, ignore);
        for (std::string text = line(in); !text.empty(); text = line(in)) {
            const auto question = parse_cross_message(text);
            const auto answer = question ? work.answer(*question) : question.status();
            if (!answer) {
                std::fprintf(stderr, "%s\n", answer.status().message().c_str());
                _exit(2);
            }
            say(out, to_text(*answer));
        }
    }

    pid_t pid_ = 0;
    FILE* in_ = nullptr;
    FILE* out_ = nullptr;
};

}  // namespace yardmaster::testing
