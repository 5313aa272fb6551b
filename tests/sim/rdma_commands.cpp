#include "tests/sim/rdma_commands.hpp"

#include <filesystem>

namespace yardmaster::sim {

const char* const kRdmaUsage =
    "  rdma-share DIR NIC PERCENT        carries this share of its rate\n"
    "  rdma-fault DIR NIC WORD           retry, broken, bad-data, hang, no-gid, gid-local\n"
    "  rdma-noise DIR PERMILLE PERCENT   noise of a window's rate; share of windows that dip\n"
    "  rdma-separate DIR                 each rail is a fabric of its own\n"
    "  rdma-far-share DIR NIC WAY PERCENT  to and from other nodes only; WAY: send, receive, both\n"
    "  rdma-far-fault DIR NIC WAY WORD   the same; retry, broken, bad-data\n"
    "  rdma-cut DIR NIC DIR2 NIC2        writes to this NIC of another node do not arrive\n";

namespace {

/// Does `change(part)` to the parts of `nic` that WAY names.
template <typename Change>
Status change_far(const SimNode& node,
                  const std::string& name,
                  const std::string& way,
                  Change change) {
    if (way != "send" && way != "receive" && way != "both") {
        return bad("the way is send, receive or both");
    }
    return node.change_rdma([&](RdmaScenario& scenario) {
        SimNic& nic = scenario.nics[name];
        if (way != "receive") {
            change(nic.far_send);
        }
        if (way != "send") {
            change(nic.far_receive);
        }
    });
}

Status set_share(const SimNode& node, const Arguments& a) {
    return with_number(a[1], [&](unsigned percent) {
        return node.change_rdma([&](RdmaScenario& s) { s.nics[a[0]].all.share = percent / 100.0; });
    });
}

Status set_fault(const SimNode& node, const Arguments& a) {
    return node.change_rdma([&](RdmaScenario& s) { s.nics[a[0]].all.fault = a[1]; });
}

Status set_noise(const SimNode& node, const Arguments& a) {
    return with_number(a[0], [&](unsigned permille) {
        return with_number(a[1], [&](unsigned percent) {
            return node.change_rdma([&](RdmaScenario& s) {
                s.noise = permille / 1000.0;
                s.dips = percent / 100.0;
            });
        });
    });
}

Status set_separate(const SimNode& node, const Arguments&) {
    return node.change_rdma([](RdmaScenario& s) { s.separate = true; });
}

Status set_far_share(const SimNode& node, const Arguments& a) {
    return with_number(a[2], [&](unsigned percent) {
        return change_far(node, a[0], a[1], [&](SimPath& part) { part.share = percent / 100.0; });
    });
}

Status set_far_fault(const SimNode& node, const Arguments& a) {
    return change_far(node, a[0], a[1], [&](SimPath& part) { part.fault = a[2]; });
}

Status set_cut(const SimNode& node, const Arguments& a) {
    const auto other = (std::filesystem::absolute(a[1]) / "").lexically_normal();
    const std::string folder = other.parent_path();  // without a last slash
    return node.change_rdma([&](RdmaScenario& s) { s.cuts.push_back({a[0], folder, a[2]}); });
}

}  // namespace

std::map<std::string, Command> rdma_commands() {
    return {{"rdma-share", {2, set_share}},
            {"rdma-fault", {2, set_fault}},
            {"rdma-noise", {2, set_noise}},
            {"rdma-separate", {0, set_separate}},
            {"rdma-far-share", {3, set_far_share}},
            {"rdma-far-fault", {3, set_far_fault}},
            {"rdma-cut", {3, set_cut}}};
}

}  // namespace yardmaster::sim
