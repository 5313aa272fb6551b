#include "tests/sim/fake_wire.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

namespace yardmaster::sim {
namespace {

constexpr Nanoseconds kRoundTrip = 4000;    // through one switch
constexpr Nanoseconds kSlice = 20'000'000;  // noise changes this often
constexpr Nanoseconds kIdleStep = 10'000;   // how time passes when nothing is under way
constexpr std::chrono::microseconds kLook{200};
constexpr double kDipKeeps = 2.0 / 3;

}  // namespace

FakeWire::FakeWire(RdmaScenario scenario)
    : scenario_(std::move(scenario)),
      seed_(scenario_.seed != 0 ? scenario_.seed : std::random_device()()) {}

SimNic FakeWire::nic(const std::string& device) const {
    const auto found = scenario_.nics.find(device);
    return found == scenario_.nics.end() ? SimNic{} : found->second;
}

void FakeWire::wait() {
    Nanoseconds next = std::numeric_limits<Nanoseconds>::max();
    for (const FakeQueue* queue : queues_) {
        if (!queue->empty() && queue->front().due > now_) {
            next = std::min(next, queue->front().due);
        }
    }
    now_ = next == std::numeric_limits<Nanoseconds>::max() ? now_ + kIdleStep : next;
}

void FakeWire::wait_for_others() {
    const auto begin = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(kLook);
    const std::chrono::nanoseconds slept = std::chrono::steady_clock::now() - begin;
    now_ += static_cast<Nanoseconds>(slept.count());
}

/// What noise and other traffic leave of the rate in the slice of `at`.
double FakeWire::luck(const std::string& from, Nanoseconds at) {
    Luck& luck = luck_[from];
    const Nanoseconds slice = at / kSlice;
    if (luck.slice != slice) {
        std::seed_seq seed{seed_,
                           static_cast<unsigned>(slice),
                           static_cast<unsigned>(std::hash<std::string>{}(from))};
        std::mt19937 random(seed);
        const double noise = std::normal_distribution<>(1, scenario_.noise)(random);
        const bool dip = std::bernoulli_distribution(scenario_.dips)(random);
        luck = {slice, std::max(0.01, noise * (dip ? kDipKeeps : 1))};
    }
    return luck.share;
}

Nanoseconds FakeWire::transfer(const std::string& from,
                               const std::string& to,
                               std::size_t bytes,
                               double gbps) {
    const Nanoseconds begin = std::max({now_, send_free_[from], receive_free_[to]});
    const double ns = static_cast<double>(bytes) * 8 / (gbps * luck(from, begin));
    const Nanoseconds end = begin + static_cast<Nanoseconds>(std::llround(ns)) + 1;
    send_free_[from] = receive_free_[to] = end;
    return end + kRoundTrip;
}

}  // namespace yardmaster::sim
