// Random healthy readings of every hardware model, judged: none may drain.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "healthcheck/judge.hpp"
#include "tests/faults/matrix_node.hpp"
#include "tests/faults/random_readings.hpp"

namespace {

using namespace yardmaster;  // NOLINT: a program of one file
using namespace yardmaster::faults;

struct Tally {
    unsigned healthy = 0, unknown = 0, drained = 0;
};

Tally judge_many(RandomReadings& random, unsigned count) {
    Tally tally;
    for (unsigned i = 0; i < count; ++i) {
        Drawn drawn = random.draw();
        if (random.chance(0.5)) {
            random.draw_rates(drawn);
        }
        switch (combine(judge(drawn.scope, drawn.readings))) {
            case Verdict::kHealthy:
                ++tally.healthy;
                break;
            case Verdict::kUnknown:
                ++tally.unknown;
                break;
            case Verdict::kDegraded:
                ++tally.drained;
        }
    }
    return tally;
}

bool take(const char* text, auto& number) {
    const char* end = text + std::strlen(text);
    const auto parsed = std::from_chars(text, end, number);
    return parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t seed = 1;
    unsigned readings = 100000;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view name = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        if (!(name == "--seed" && take(value, seed)) &&
            !(name == "--readings" && take(value, readings))) {
            std::fprintf(stderr, "usage: random_bench [--seed N] [--readings N]\n");
            return 2;
        }
    }
    unsigned drained = 0;
    const auto models = static_cast<unsigned>(sim::sim_models().size());
    std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
    for (const sim::SimModel& model : sim::sim_models()) {
        const MatrixNode node(model);
        if (const Status status = node.create(); !status) {
            std::fprintf(stderr, "%s\n", status.message().c_str());
            return 1;
        }
        const Report base = node.look(Looking::kPassive).report;
        RandomReadings random(base, seed);
        const auto begin = Clock::now();
        const Tally tally = judge_many(random, readings / models + 1);
        const double took = std::chrono::duration<double>(Clock::now() - begin).count();
        std::printf("%-14s %u healthy, %u unknown, %u drained, %.1f s\n",
                    std::string(model.name).c_str(),
                    tally.healthy,
                    tally.unknown,
                    tally.drained,
                    took);
        drained += tally.drained;
    }
    return drained == 0 ? 0 : 1;
}
