// How far the placer is from an optimum that is found by trying every set in every order, on many
// small random fabrics: what tests/topology/placer_exhaustive_test.cpp asserts of fewer.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "tests/topology/optimum_case.hpp"

namespace {

using namespace yardmaster::testing_support;

struct Options {
    std::string family;
    unsigned times = 20;
    unsigned seed = 0;
    unsigned cases = 0;
    bool misses = false;
};

OptimumTally run(const CaseFamily& family, const Options& options) {
    OptimumTally tally;
    const unsigned first = options.seed > 0 ? options.seed : family.first_seed;
    const unsigned count = options.cases > 0 ? options.cases : family.count * options.times;
    for (unsigned seed = first; seed < first + count; ++seed) {
        OptimumCase one(seed, family.rules);
        const unsigned far = tally.sets.far;
        tally.add(seed, one);
        if (options.misses && tally.sets.far > far) {
            std::printf("  seed %u: x %.4f, %u nodes of %zu for %s\n",
                        seed,
                        one.set_ratio(),
                        one.request().nodes,
                        one.fabric().nodes().size(),
                        one.request().hints.to_string().c_str());
        }
    }
    return tally;
}

void print_row(const char* family, const OptimumTally& tally) {
    std::printf("%-18s %7u %8u %8u %9.4f %8u %8u %9.4f %8u\n",
                family,
                tally.placed,
                tally.sets.dearer,
                tally.sets.far,
                tally.sets.worst,
                tally.sets.worst_seed,
                tally.orders.far,
                tally.orders.worst,
                tally.orders.worst_seed);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"The placer beside an exhaustive optimum"};
    app.add_option("--family", options.family, "one family of cases only, by its name");
    app.add_option("--times", options.times, "how many times the unit test's cases");
    app.add_option("--cases", options.cases, "how many cases a family, instead of --times");
    app.add_option("--seed", options.seed, "seed of the first case, instead of the unit test's");
    app.add_flag("--misses", options.misses, "print every case over 1 %");
    CLI11_PARSE(app, argc, argv);
    std::printf("%-18s %7s %8s %8s %9s %8s %8s %9s %8s\n",
                "family",
                "cases",
                "dearer",
                "over 1 %",
                "worst x",
                "seed",
                "order 1%",
                "worst x",
                "seed");
    bool found = false;
    for (const CaseFamily& family : kCaseFamilies) {
        if (options.family.empty() || options.family == family.name) {
            found = true;
            print_row(family.name, run(family, options));
        }
    }
    return found ? 0 : 2;
}
