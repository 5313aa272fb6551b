#include "healthcheck/port/counter_table.hpp"

namespace yardmaster {
namespace {

double symbol_errors(const CounterLimits& limits, double gbps) {
    return limits.symbol_ber * gbps * 1e9;  // idle symbols flow at line rate too
}

double recoveries(const CounterLimits& limits, double) {
    return limits.recoveries_per_minute / 60;
}

double receive_errors(const CounterLimits& limits, double) {
    return limits.receive_errors_per_s;
}

double ack_timeouts(const CounterLimits& limits, double) {
    return limits.ack_timeouts_per_s;
}

double retransmissions(const CounterLimits& limits, double) {
    return limits.retransmissions_per_s;
}

}  // namespace

const std::vector<PortCounter>& port_counters() {
    static const std::vector<PortCounter> table = {
        {"counters/link_downed", 8, nullptr},
        {"counters/link_error_recovery", 8, recoveries},
        {"counters/symbol_error", 16, symbol_errors},
        {"counters/port_rcv_errors", 16, receive_errors},
        {"hw_counters/local_ack_timeout_err", 64, ack_timeouts},
        {"hw_counters/packet_seq_err", 64, retransmissions},
        {"hw_counters/out_of_sequence", 64, retransmissions},
        {"hw_counters/roce_adp_retrans", 64, retransmissions},
        {"counters/port_xmit_wait", 32, nullptr, true},
    };
    return table;
}

}  // namespace yardmaster
