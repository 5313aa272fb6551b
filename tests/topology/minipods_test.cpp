#include "tests/topology/minipods.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

using namespace testing_support;

TEST(Minipods, SpreadIsNoWiderThanBestFit) {
    double all_ours = 0;
    double all_best_fit = 0;
    for (const MinipodSetting& setting : kMinipodSettings) {
        const Fabric fabric = make_minipods(setting);
        const Placer placer(fabric);
        double ours = 0;
        double best_fit = 0;
        for (unsigned seed = 1; seed <= 20; ++seed) {
            SCOPED_TRACE(std::string(setting.name) + ", seed " + std::to_string(seed));
            const MinipodResult result = place_in_minipods(setting, fabric, placer, seed);
            EXPECT_LE(result.ours.seconds, result.best_fit.seconds * 1.000001);
            ours += result.ours.weighted;
            best_fit += result.best_fit.weighted;
        }
        EXPECT_LE(ours, best_fit * 1.000001) << setting.name;
        all_ours += ours;
        all_best_fit += best_fit;
    }
    EXPECT_LT(all_ours * 1.1, all_best_fit);
}

}  // namespace
}  // namespace yardmaster
