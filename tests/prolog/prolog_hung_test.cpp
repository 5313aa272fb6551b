// What may hang around the prolog, one by one and all at once: it ends in time and leaves nothing
// behind.
#include "tests/prolog/prolog_among_faults.hpp"
#include "tests/prolog/stuck_log.hpp"

namespace yardmaster {
namespace {

using std::chrono::seconds;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::kSlack;
using ::testing::Not;
using testing::Outcome;
using testing::PrologAmongFaults;
using testing::StuckLog;

namespace fs = std::filesystem;

class HungProlog : public PrologAmongFaults {
  protected:
    /// Opening it for reading waits for a writer that never comes.
    void make_hang(const fs::path& file) const {
        fs::remove(file);
        ASSERT_EQ(mkfifo(file.c_str(), 0600), 0) << file;
    }
    void hang_every_device() const {
        const std::string port = node_.sysfs_root() + "/class/infiniband/mlx5_3/ports/1";
        make_hang(port + "/state");       // the port reader
        make_hang(port + "/link_layer");  // the wiring reader
        const std::string pci =
            node_.sysfs_root() + "/bus/pci/devices/" + node_.read_address("GPU3");
        make_hang(pci + "/current_link_width");  // the PCIe reader
        ASSERT_TRUE(node_.change_scenario([](sim::Scenario& scenario) {
            scenario.hang_s = 600;
            return Status::ok();
        }));
        hang_probes();
    }
    void hang_probes() const {
        ASSERT_TRUE(
            node_.change_rdma([](auto& scenario) { scenario.nics["mlx5_3"].all.fault = "hang"; }));
        ASSERT_TRUE(node_.change_nccl([](auto& scenario) { scenario.fault = "hang-init"; }));
    }
    /// Those of the last evidence.
    std::vector<std::string> notes() {
        const auto kept = evidence();
        return kept.empty() ? std::vector<std::string>() : kept.back().report.readings.notes;
    }
};

TEST_F(HungProlog, AnyChildMayHangForEver) {
    write_policy("\"deadline_s\": 0.5, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    // Readers of three files, five readers of hardware, writers, drain, log: 14 at most.
    for (int first = 0; first < 14; ++first) {
        const Outcome outcome = run_with_hung_children(first);
        EXPECT_EQ(outcome.exit_status, 0) << first;
        EXPECT_LT(outcome.took, seconds(1) + kSlack) << first;
        EXPECT_NE(outcome.output, "") << first << ": a fault is never passed over in silence";
    }
    expect_nothing_left();
}

TEST_F(HungProlog, HungReadersOfAHealthyNodeAreUnknown) {
    write_policy("\"deadline_s\": 2, ");
    const Outcome outcome = run_with_hung_children(3);
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("unknown, job starts"));
    expect_nothing_left();
}

TEST_F(HungProlog, EveryDeviceMayHangAtOnce) {
    write_policy("\"deadline_s\": 2, " + probes("on", YM_RDMA_PROBE, YM_NCCL_PROBE));
    hang_every_device();
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("unknown, job starts"));
    EXPECT_LT(outcome.took, seconds(2) + kSlack);
    for (const char* reader : {"port reader", "GPU reader", "PCIe reader", "wiring reader"}) {
        EXPECT_THAT(notes(), Contains(HasSubstr(reader)));
    }
    expect_nothing_left();
}

TEST_F(HungProlog, HungVerbsAreUnknown) {
    write_policy("\"deadline_s\": 4, " + probes("auto", YM_RDMA_PROBE, YM_NCCL_PROBE));
    hang_probes();
    const Outcome outcome = run();
    EXPECT_EQ(outcome.exit_status, 0);
    EXPECT_THAT(outcome.output, HasSubstr("unknown, job starts"));
    EXPECT_LT(outcome.took, seconds(4) + kSlack);
    EXPECT_THAT(notes(), Contains(HasSubstr("RDMA probe was given up")));
    expect_nothing_left();
}

TEST_F(HungProlog, HungSyslogCostsAMoment) {
    if (!testing::may_unshare()) {
        GTEST_SKIP() << "this user may not mount";
    }
    StuckLog log(folder_ / "log.socket");
    write_policy("\"enforce\": false, ");
    ASSERT_TRUE(node_.set_rate("mlx5_3", 100));
    const Outcome stuck = run_in_script(StuckLog::kScript, folder_ / "log.socket");
    EXPECT_EQ(stuck.exit_status, 0) << stuck.output;
    EXPECT_THAT(stuck.output, HasSubstr("degraded, report-only"));
    EXPECT_LT(stuck.took, kSlack);
    expect_nothing_left();
    EXPECT_THAT(log.read_all(), Not(HasSubstr("degraded"))) << "it did not hang";
    run_in_script(StuckLog::kScript, folder_ / "log.socket");
    EXPECT_THAT(log.read_all(), HasSubstr("degraded, report-only")) << "it was not the log";
}

TEST_F(HungProlog, EverythingMayHangAtOnce) {
    if (!testing::may_unshare()) {
        GTEST_SKIP() << "this user may not mount";
    }
    const StuckLog log(folder_ / "log.socket");
    kept_in_ = "/proc/nowhere";  // neither evidence nor state can be kept
    write_policy("\"deadline_s\": 2, " + probes("on", YM_RDMA_PROBE, YM_NCCL_PROBE));
    hang_every_device();
    const Outcome outcome = run_in_script(StuckLog::kScript, folder_ / "log.socket");
    EXPECT_EQ(outcome.exit_status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("unknown, job starts"));
    EXPECT_THAT(outcome.output, HasSubstr("evidence not kept"));
    EXPECT_LT(outcome.took, seconds(2) + kSlack);
    expect_nothing_left();
}

}  // namespace
}  // namespace yardmaster
