// Readings of healthy nodes as they come in the field: the same model, and never the same numbers.
#pragma once

#include <cstdint>
#include <random>

#include "healthcheck/checks.hpp"

namespace yardmaster::faults {

/// One drawn node.
struct Drawn {
    CheckScope scope;
    Readings readings;
    bool all_read = true;  ///< nothing that is judged was drawn as unreadable
};

/// Draws from `base`, a healthy report of a job on all GPUs: other jobs, GPU numberings, counters,
/// baselines, boots, spare ports, meaningless throttle reasons, unread optional values, and rates
/// between rails with the noise of rdma_policy.hpp (1.5 % a window) and dips.
class RandomReadings {
  public:
    RandomReadings(const Report& base, std::uint64_t seed) : base_(base), random_(seed) {}

    Drawn draw();

    /// Measures rates between the rails of `drawn`, in two attempts as the shipped check does;
    /// `slow` carries `share` of its rate ("": none is slow).
    void draw_rates(Drawn& drawn, const std::string& slow = "", double share = 1);

    bool chance(double probability) { return uniform(0, 1) < probability; }
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random_);
    }
    /// From 0 to `count` - 1.
    std::size_t pick(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
    }

  private:
    void draw_job(Drawn& drawn);
    void draw_numbering(Drawn& drawn);
    void draw_boot(Drawn& drawn);
    void draw_port(PortReading& port, Drawn& drawn);
    void draw_counter(const struct DrawnCounter& counter, Drawn& drawn);
    void draw_spares(Drawn& drawn);
    void draw_gpu(GpuReading& gpu, Drawn& drawn);
    void draw_links(GpuReading& gpu);
    void draw_gpu_past(const GpuReading& gpu, Drawn& drawn);
    void draw_pci(PciReading& device, Drawn& drawn);
    std::vector<double> draw_windows(double gbps);
    RdmaPairReading draw_pair(const RdmaPair& pair, const Drawn& drawn);

    const Report& base_;
    std::mt19937_64 random_;
    double elapsed_s_ = 0;     ///< since the baseline of the node being drawn
    bool comparable_ = false;  ///< its baseline can be compared with
};

}  // namespace yardmaster::faults
