// What slurmctld pays, beside the choice itself, for telling about a placement: the facts of its
// receipt and the plan of its rank sheet, for jobs on a fabric of 10,000 nodes.

#include <benchmark/benchmark.h>

#include <random>

#include "bench/shapes.hpp"
#include "topology/placer.hpp"
#include "topology/rank_plan.hpp"

namespace yardmaster {
namespace {

constexpr std::uint32_t kFabricNodes = 10000;

struct Case {
    explicit Case(const Shape& shape, std::uint32_t size)
        : fabric(make_fabric(shape, kFabricNodes)),
          placer(fabric),
          gpus(shape.gpus),
          hints(must(parse_hints(shape.hints))) {
        // Nodes in table order, a few of each neighbourhood missing.
        std::mt19937 random(3);
        for (std::uint32_t i = 0; nodes.size() < size; ++i) {
            if (random() % 8 != 0 || kFabricNodes - i <= size - nodes.size()) {
                nodes.push_back(NodeIndex{i});
            }
        }
    }

    const Fabric fabric;
    const Placer placer;
    const std::uint32_t gpus;
    const Hints hints;
    std::vector<NodeIndex> nodes;
};

/// Everything that `explain` shows of groups.
void describe_all(benchmark::State& state, const Shape& shape, std::uint32_t size) {
    const Case job(shape, size);
    for (auto _ : state) {
        benchmark::DoNotOptimize(describe(job.fabric, job.nodes, job.gpus, job.hints));
    }
}

/// What a receipt holds.
void describe_receipt(benchmark::State& state, const Shape& shape, std::uint32_t size) {
    const Case job(shape, size);
    for (auto _ : state) {
        benchmark::DoNotOptimize(describe_set(job.fabric, job.nodes, job.gpus, job.hints));
    }
}

void plan_with_new_tables(benchmark::State& state, const Shape& shape, std::uint32_t size) {
    const Case job(shape, size);
    for (auto _ : state) {
        benchmark::DoNotOptimize(plan_ranks(job.fabric, job.nodes, job.gpus, job.hints));
    }
}

void plan_with_placers_tables(benchmark::State& state, const Shape& shape, std::uint32_t size) {
    const Case job(shape, size);
    for (auto _ : state) {
        benchmark::DoNotOptimize(plan_ranks(job.placer.tables(), job.nodes, job.gpus, job.hints));
    }
}

void register_all() {
    using Benchmark = void (*)(benchmark::State&, const Shape&, std::uint32_t);
    constexpr std::pair<const char*, Benchmark> kBenchmarks[] = {
        {"Describe/all", describe_all},
        {"Describe/receipt", describe_receipt},
        {"PlanRanks/new_tables", plan_with_new_tables},
        {"PlanRanks/placers_tables", plan_with_placers_tables},
    };
    for (const auto& [name, function] : kBenchmarks) {
        for (const Shape& shape : {kShapes[0], kShapes[3]}) {
            for (std::uint32_t size : {4U, 64U, 512U, 4096U}) {
                const std::string full =
                    std::string(name) + "/" + shape.name + "/job:" + std::to_string(size);
                benchmark::RegisterBenchmark(full.c_str(), function, shape, size)
                    ->Unit(benchmark::kMillisecond);
            }
        }
    }
}

}  // namespace
}  // namespace yardmaster

int main(int argc, char** argv) {
    yardmaster::register_all();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
