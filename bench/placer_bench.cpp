// What one placement decision costs: Placer::propose with up to eight candidates, on generated
// fabrics.
//
//   placer_bench                 Google Benchmark's means
//   placer_bench --percentiles [SIZE [SHAPE [NODES]]]
//                                p50, p99 and the worst of many random states of the cluster, at
//                                1,000, 10,000 and 100,000 nodes or at SIZE alone; of one shape
//                                alone; of jobs of NODES nodes alone

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <string_view>

#include "bench/shapes.hpp"
#include "topology/placer.hpp"

namespace yardmaster {
namespace {

/// A cluster in use: jobs hold runs of nodes, some nodes are part-used.
void fill_offers(std::mt19937& random,
                 std::uint32_t busy_percent,
                 std::uint32_t classes,
                 std::vector<NodeOffer>& offers) {
    std::uint32_t run = 0;
    bool busy = false;
    for (NodeOffer& offer : offers) {
        if (run == 0) {
            run = 1 + random() % 40;
            busy = random() % 100 < busy_percent;
        }
        run -= 1;
        offer.usable = !busy;
        offer.part_used = random() % 20 == 0;
        offer.weight_class = static_cast<std::uint16_t>(random() % classes);
    }
}

PlacementRequest make_request(const Shape& shape, const Fabric& fabric, std::uint32_t nodes) {
    PlacementRequest request;
    request.gpus_per_node = shape.gpus;
    request.hints = must(parse_hints(shape.hints));
    const std::uint32_t quantum = quantum_nodes(request.hints, shape.gpus);
    request.nodes = (nodes + quantum - 1) / quantum * quantum;
    request.offers.resize(fabric.nodes().size());
    return request;
}

void bench_propose(benchmark::State& state,
                   const Shape& shape,
                   std::uint32_t size,
                   std::uint32_t nodes) {
    const Fabric fabric = make_fabric(shape, size);
    const Placer placer(fabric);
    PlacementRequest request = make_request(shape, fabric, nodes);
    std::mt19937 random(1);
    fill_offers(random, 50, 1, request.offers);
    const PlacementLimits unlimited{8, Patience::kPerson};
    for (auto _ : state) {
        auto candidates = placer.propose(request, unlimited);
        benchmark::DoNotOptimize(candidates);
    }
}

void register_all() {
    for (const Shape& shape : kShapes) {
        for (std::uint32_t size : {1000u, 10000u}) {
            for (std::uint32_t nodes : {1u, 4u, 64u, 512u}) {
                const std::string name = std::string("Propose/") + shape.name + "/" +
                                         std::to_string(size) + "/job:" + std::to_string(nodes);
                benchmark::RegisterBenchmark(name.c_str(), bench_propose, shape, size, nodes);
            }
        }
    }
}

/// Of this thread, so that other load on the machine does not count.
double cpu_milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

struct Load {
    std::string name;
    std::uint32_t nodes = 1;
    std::string hints;  ///< after the shape's own
    std::uint32_t classes = 1;
    std::uint32_t most_candidates = 8;
    /// Busy share of the cluster, in percent.
    std::uint32_t least_busy = 20, most_busy = 79;
};

/// Small and large jobs, groups of all kinds, weight classes, one leaf group, a nearly full
/// cluster.
std::vector<Load> loads_for(std::uint32_t size) {
    std::vector<Load> loads;
    for (std::uint32_t nodes : {1u, 4u, 16u, 64u, 256u, 512u, size / 4, size * 2 / 5}) {
        loads.push_back({"", nodes, ""});
        if (nodes >= 16) {
            loads.push_back({"", nodes / 16 * 16, "&pp8"});
        }
    }
    loads.push_back({"", 64, "&cp4&pp2"});
    loads.push_back({"", 64, "&ep8&pp4"});
    loads.push_back({"", 512, "&cp4&ep16&pp8"});
    loads.push_back({"", 512, "&pp16"});
    loads.push_back({"one set", 512, "&pp16", 1, 1});
    loads.push_back({"classes", 64, "", 3});
    loads.push_back({"classes", 512, "&pp16", 3});
    loads.push_back({"classes", 4, "&leaf", 3});
    loads.push_back({"full", 4, "", 1, 8, 90, 97});
    loads.push_back({"full", 64, "&pp8", 1, 8, 80, 92});
    return loads;
}

/// p50, p99 and worst of many random states; the best of several passes over the same states, since
/// what another process costs us is not the placer's time.
void print_percentiles(const Shape& shape,
                       const Fabric& fabric,
                       const Placer& placer,
                       const Load& load) {
    const bool large = fabric.nodes().size() > 20000;
    const int passes = large ? 2 : 3;
    PlacementRequest request = make_request(shape, fabric, load.nodes);
    request.hints = must(parse_hints(shape.hints + load.hints));
    const PlacementLimits limits{load.most_candidates};
    std::vector<double> times(large ? 100 : 300, 1e9);
    std::size_t candidates = 0;
    for (int pass = 0; pass < passes; ++pass) {
        std::mt19937 random(7);
        candidates = 0;
        for (double& time : times) {
            const std::uint32_t range = load.most_busy - load.least_busy + 1;
            fill_offers(random, load.least_busy + random() % range, load.classes, request.offers);
            const double start = cpu_milliseconds();
            const auto found = placer.propose(request, limits);
            time = std::min(time, cpu_milliseconds() - start);
            candidates += found ? found->size() : 0;
        }
    }
    std::sort(times.begin(), times.end());
    const std::size_t count = times.size();
    std::printf("%-8s %6zu %5u %-26s %-7s  p50 %6.3f ms  p99 %6.3f ms  max %6.3f ms  %.1f sets\n",
                shape.name,
                fabric.nodes().size(),
                request.nodes,
                request.hints.to_string().c_str(),
                load.name.c_str(),
                times[count / 2],
                times[count * 99 / 100],
                times.back(),
                static_cast<double>(candidates) / static_cast<double>(count));
}

/// All loads on all shapes whose name begins with `only`, at `size` nodes; with `nodes` not 0, only
/// jobs of so many.
void print_all(std::uint32_t size, std::string_view only, std::uint32_t nodes) {
    for (const Shape& shape : kShapes) {
        if (!std::string_view(shape.name).starts_with(only)) {
            continue;
        }
        const Fabric fabric = make_fabric(shape, size);
        const Placer placer(fabric);
        for (const Load& load : loads_for(size)) {
            if (nodes != 0 && nodes != load.nodes) {
                continue;
            }
            print_percentiles(shape, fabric, placer, load);
        }
    }
}

}  // namespace
}  // namespace yardmaster

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc > 1 && std::strcmp(argv[1], "--percentiles") == 0) {
        const auto number = [&](int at) {
            return argc > at ? static_cast<std::uint32_t>(std::atoi(argv[at])) : 0;
        };
        const std::uint32_t only = number(2);
        for (std::uint32_t size : {1000u, 10000u, 100000u}) {
            if (only == 0 || only == size) {
                yardmaster::print_all(size, argc > 3 ? argv[3] : "", number(4));
            }
        }
        return 0;
    }
    yardmaster::register_all();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
