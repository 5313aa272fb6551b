// The spread of communication groups over minipods in the three settings of Arnold, ours beside
// best fit: see tests/topology/minipods.hpp.
//
//   spread_bench [STATES]   so many random states of the cluster a setting; 200

#include <cstdio>
#include <cstdlib>

#include "tests/topology/minipods.hpp"

namespace {

using namespace yardmaster;
using namespace yardmaster::testing_support;

struct Mean {
    double dp = 0, pp = 0, weighted = 0, seconds = 0;
    void add(const MaxSpread& spread, unsigned of) {
        dp += static_cast<double>(spread.dp) / of;
        pp += static_cast<double>(spread.pp) / of;
        weighted += spread.weighted / of;
        seconds += spread.seconds / of;
    }
};

void print_row(const char* name, const char* by, const Mean& mean, double beside) {
    std::printf("%-24s %-9s %6.2f %6.2f %9.2f %8.2f %12.3f\n",
                name,
                by,
                mean.dp,
                mean.pp,
                mean.weighted,
                beside / mean.weighted,
                mean.seconds);
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned states = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 200;
    std::printf("mean over %u part-busy states; max spread in minipods, weighted by bytes\n\n",
                states);
    std::printf("%-24s %-9s %6s %6s %9s %8s %12s\n",
                "setting",
                "",
                "dp",
                "pp",
                "weighted",
                "ratio",
                "predicted s");
    for (const MinipodSetting& setting : kMinipodSettings) {
        const Fabric fabric = make_minipods(setting);
        const Placer placer(fabric);
        Mean ours;
        Mean best_fit;
        for (unsigned seed = 1; seed <= states; ++seed) {
            const MinipodResult result = place_in_minipods(setting, fabric, placer, seed);
            ours.add(result.ours, states);
            best_fit.add(result.best_fit, states);
        }
        print_row(setting.name, "best fit", best_fit, best_fit.weighted);
        print_row("", "ours", ours, best_fit.weighted);
    }
    return 0;
}
