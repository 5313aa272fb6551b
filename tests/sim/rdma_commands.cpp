#include "tests/sim/rdma_commands.hpp"

namespace yardmaster::sim {

const char* const kRdmaUsage =
    "  rdma-share DIR NIC PERCENT        carries this share of its rate\n"
    "  rdma-fault DIR NIC WORD           retry, broken, bad-data, hang, no-gid, gid-local\n"
    "  rdma-noise DIR PERMILLE PERCENT   noise of a window's rate; share of windows that dip\n"
    "  rdma-separate DIR                 each rail is a fabric of its own\n";

std::map<std::string, Command> rdma_commands() {
    return {
        {"rdma-share",
         {2,
          [](auto& node, auto& a) {
              return with_number(a[1], [&](unsigned percent) {
                  return node.change_rdma(
                      [&](RdmaScenario& s) { s.nics[a[0]].share = percent / 100.0; });
              });
          }}},
        {"rdma-fault",
         {2,
          [](auto& node, auto& a) {
              return node.change_rdma([&](RdmaScenario& s) { s.nics[a[0]].fault = a[1]; });
          }}},
        {"rdma-noise",
         {2,
          [](auto& node, auto& a) {
              return with_number(a[0], [&](unsigned permille) {
                  return with_number(a[1], [&](unsigned percent) {
                      return node.change_rdma([&](RdmaScenario& s) {
                          s.noise = permille / 1000.0;
                          s.dips = percent / 100.0;
                      });
                  });
              });
          }}},
        {"rdma-separate",
         {0,
          [](auto& node, auto&) {
              return node.change_rdma([](RdmaScenario& s) { s.separate = true; });
          }}},
    };
}

}  // namespace yardmaster::sim
