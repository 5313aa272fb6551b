#include "healthcheck/port/port_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster {
namespace {

using testing::ScratchFolder;
using testing::write_file;

TEST(PortReader, ReadsAPortWithItsCounters) {
    const ScratchFolder sys;
    const std::string port = sys / "class/infiniband/mlx5_0/ports/1";
    write_file(port + "/state", "4: ACTIVE\n");
    write_file(port + "/phys_state", "5: LinkUp\n");
    write_file(port + "/rate", "400 Gb/sec (4X NDR)\n");
    write_file(port + "/link_layer", "InfiniBand\n");
    write_file(port + "/counters/link_downed", "255\n");
    write_file(port + "/counters/symbol_error", "N/A (no PMA)\n");
    write_file(port + "/hw_counters/out_of_sequence", "18446744073709551615\n");
    const PortReading reading = read_port(sys.path(), "mlx5_0", 1);
    EXPECT_TRUE(reading.present);
    EXPECT_EQ(reading.state, "4: ACTIVE");
    EXPECT_EQ(reading.rate, "400 Gb/sec (4X NDR)");
    EXPECT_EQ(reading.counters.at("counters/link_downed").value, 255u);
    EXPECT_FALSE(reading.counters.at("counters/symbol_error").value);
    EXPECT_EQ(reading.counters.at("counters/symbol_error").text, "N/A (no PMA)");
    EXPECT_EQ(reading.counters.at("hw_counters/out_of_sequence").value, UINT64_MAX);
    EXPECT_TRUE(reading.errors.empty());
}

TEST(PortReader, VirtualFunctionWithoutCountersIsStillRead) {
    const ScratchFolder sys;
    write_file(sys / "class/infiniband/mlx5_9/ports/1/state", "4: ACTIVE\n");
    const PortReading reading = read_port(sys.path(), "mlx5_9", 1);
    EXPECT_TRUE(reading.present);
    EXPECT_EQ(reading.state, "4: ACTIVE");
    EXPECT_TRUE(reading.counters.empty());
    EXPECT_FALSE(reading.rate);
    EXPECT_FALSE(reading.errors.empty());
}

TEST(PortReader, AbsentDeviceIsNotPresent) {
    const ScratchFolder sys;
    EXPECT_FALSE(read_port(sys.path(), "mlx5_0", 1).present);
}

TEST(PortInventory, ListsDevicesSorted) {
    const ScratchFolder sys;
    write_file(sys / "class/infiniband/mlx5_1/node_type", "1: CA");
    write_file(sys / "class/infiniband/mlx5_0/node_type", "1: CA");
    const PortInventory inventory = read_port_inventory(sys.path());
    EXPECT_TRUE(inventory.readable);
    EXPECT_THAT(inventory.devices, ::testing::ElementsAre("mlx5_0", "mlx5_1"));
}

TEST(PortInventory, NoInfinibandClassIsUnreadable) {
    const ScratchFolder sys;
    const PortInventory inventory = read_port_inventory(sys.path());
    EXPECT_FALSE(inventory.readable);
    EXPECT_NE(inventory.error.find("class/infiniband"), std::string::npos);
}

}  // namespace
}  // namespace yardmaster
