// How fast error counters may grow: health.counters in yardmaster.json. Part of the scope, because
// a verdict depends on it.
#pragma once

#include <chrono>

namespace yardmaster {

struct CounterLimits {
    /// Rates are judged over at least this long, so that a few errors between two short jobs are no
    /// rate. NVIDIA's ibdiagnet manual ("Bit Error Rate") looks at links after 5 to 10 minutes.
    std::chrono::seconds window{600};
    /// Symbol errors per bit. InfiniBand Architecture Specification, volume 2: a link's bit error
    /// rate stays below 1e-12; also ibdiagnet's default threshold (same manual).
    double symbol_ber = 1e-12;
    /// The next four: defaults of NVIDIA NVSentinel's NIC health monitor ("Link Counter
    /// Detection"), which alerts above these.
    double recoveries_per_minute = 5;
    double receive_errors_per_s = 10;
    double ack_timeouts_per_s = 1;
    double retransmissions_per_s =
        100;  ///< also packets out of sequence, as adaptive routing makes
    /// Correctable PCIe errors per bit. PCI Express Base Specification: a lane's bit error rate
    /// stays below 1e-12.
    double pcie_ber = 1e-12;
    /// The next three: NVIDIA DCGM's health watches (modules/health, DcgmHealthWatch.cpp). Its
    /// DCGM_LIMIT_MAX_PCIREPLAY_RATE is what NVIDIA's driver team recommends at most.
    double pcie_replays_per_minute = 8;
    /// DCGM_LIMIT_MAX_NVLINK_CRC_ERROR: CRC errors of a link matter from this rate on only.
    double nvlink_crc_per_s = 100;
    /// DCGM_LIMIT_MAX_NVLINK_ERROR: of all other errors of a link, replays and recoveries among
    /// them, DCGM calls one in its window of a minute a failure.
    double nvlink_errors_per_minute = 1;
};

}  // namespace yardmaster
