// What one placement decision costs: Placer::propose with up to eight candidates, on generated
// fabrics.
//
//   placer_bench                 Google Benchmark's means
//   placer_bench --percentiles [SIZE]   p50, p99 and the worst of many random states of the
//   cluster, at
//                                       1,000, 10,000 and 100,000 nodes or at SIZE nodes alone

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>

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
    const PlacementLimits unlimited{8, std::chrono::seconds(10)};
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
    std::uint32_t nodes;
    std::uint32_t classes;
    const char* hints;
    std::uint32_t most_candidates;
};

/// p50, p99 and worst of many random states; the best of several passes over the same states, since
/// what another process costs us is not the placer's time.
void print_percentiles(const Shape& shape, std::uint32_t size, const Load& load) {
    const int rounds = size > 20000 ? 100 : 300;
    constexpr int kPasses = 3;
    const Fabric fabric = make_fabric(shape, size);
    const Placer placer(fabric);
    PlacementRequest request = make_request(shape, fabric, load.nodes);
    if (*load.hints != 0) {
        request.hints = must(parse_hints(load.hints));
    }
    PlacementLimits limits;
    limits.max_candidates = load.most_candidates;
    if (size > 20000) {
        limits.budget = std::chrono::milliseconds(50);
    }
    std::vector<double> times(static_cast<std::size_t>(rounds), 1e9);
    std::size_t candidates = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        std::mt19937 random(7);
        for (double& time : times) {
            fill_offers(random, 20 + random() % 60, load.classes, request.offers);
            const double start = cpu_milliseconds();
            const auto found = placer.propose(request, limits);
            time = std::min(time, cpu_milliseconds() - start);
            candidates += found ? found->size() : 0;
        }
    }
    std::sort(times.begin(), times.end());
    const std::size_t count = times.size();
    std::printf(
        "%-9s %6u nodes, %u class%s, job of %4u %-14s: p50 %6.3f ms  p99 %6.3f ms  max %6.3f ms  "
        "%.1f candidates\n",
        shape.name,
        size,
        load.classes,
        load.classes == 1 ? "  " : "es",
        request.nodes,
        request.hints.to_string().c_str(),
        times[count / 2],
        times[count * 99 / 100],
        times.back(),
        static_cast<double>(candidates) / rounds / kPasses);
}

/// All shapes at `size` nodes: small and large jobs, pipelines, weight classes, and one set only.
void print_all(std::uint32_t size) {
    for (const Shape& shape : kShapes) {
        for (std::uint32_t nodes : {1u, 4u, 64u, 512u, size / 4}) {
            print_percentiles(shape, size, {nodes, 1, "", 8});
        }
        print_percentiles(shape, size, {64, 3, "", 8});
        const std::string tp = shape.hints;
        print_percentiles(shape, size, {64, 1, (tp + "&pp8").c_str(), 8});
        print_percentiles(shape, size, {512, 1, (tp + "&pp16").c_str(), 8});
        print_percentiles(shape, size, {512, 1, (tp + "&pp16").c_str(), 1});
    }
    print_percentiles(kShapes[0], size, {4, 3, "tp8&leaf", 8});
    print_percentiles(kShapes[1], size, {4, 3, "tp8&leaf", 8});
}

}  // namespace
}  // namespace yardmaster

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (argc > 1 && std::strcmp(argv[1], "--percentiles") == 0) {
        const std::uint32_t only = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 0;
        for (std::uint32_t size : {1000u, 10000u, 100000u}) {
            if (only == 0 || only == size) {
                yardmaster::print_all(size);
            }
        }
        return 0;
    }
    yardmaster::register_all();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
