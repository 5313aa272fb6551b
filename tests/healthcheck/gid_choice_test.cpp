#include "healthcheck/rdma/gid_choice.hpp"

#include <gtest/gtest.h>

namespace yardmaster {
namespace {

GidEntry entry(unsigned index, const std::string& text, GidType type = GidType::kRoceV2) {
    return {index, type, *parse_gid(text)};
}

const std::string kLinkLocal = "fe80:0000:0000:0000:0ac0:ebff:fe12:3456";
const std::string kIpv4 = "0000:0000:0000:0000:0000:ffff:0a00:0001";
const std::string kIpv4LinkLocal = "0000:0000:0000:0000:0000:ffff:a9fe:0001";
const std::string kUla = "fd00:0000:0000:0001:0000:0000:0000:0001";
const std::string kGlobal = "2001:0db8:0000:0000:0000:0000:0000:0001";
const std::string kZero = "0000:0000:0000:0000:0000:0000:0000:0000";

TEST(GidScope, IsReadFromTheAddress) {
    EXPECT_EQ(scope_of(*parse_gid(kLinkLocal)), GidScope::kLinkLocal);
    EXPECT_EQ(scope_of(*parse_gid(kIpv4)), GidScope::kRoutable);
    EXPECT_EQ(scope_of(*parse_gid(kIpv4LinkLocal)), GidScope::kLinkLocal);
    EXPECT_EQ(scope_of(*parse_gid(kUla)), GidScope::kUniqueLocal);
    EXPECT_EQ(scope_of(*parse_gid(kGlobal)), GidScope::kRoutable);
    EXPECT_EQ(scope_of(*parse_gid(kZero)), GidScope::kNone);
    EXPECT_EQ(scope_of(*parse_gid("0000:0000:0000:0000:0000:ffff:0000:0000")), GidScope::kNone);
    EXPECT_EQ(scope_of(*parse_gid("ff02:0000:0000:0000:0000:0000:0000:0001")), GidScope::kNone);
}

TEST(GidChoice, LinkLocalAtIndexZeroIsTheLastChoice) {
    const auto chosen = choose_roce_gid({entry(0, kLinkLocal), entry(4, kUla)});
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->index, 4u);
    EXPECT_EQ(choose_roce_gid({entry(0, kLinkLocal)})->index, 0u);
}

TEST(GidChoice, RoutableComesBeforeUniqueLocalAndIpv4BeforeIpv6) {
    EXPECT_EQ(choose_roce_gid({entry(0, kLinkLocal), entry(2, kUla), entry(3, kGlobal)})->index,
              3u);
    EXPECT_EQ(choose_roce_gid({entry(3, kGlobal), entry(5, kIpv4)})->index, 5u);
}

TEST(GidChoice, VersionOneAndEmptyEntriesAreNeverTaken) {
    EXPECT_FALSE(choose_roce_gid({}));
    EXPECT_FALSE(choose_roce_gid({entry(0, kZero)}));
    EXPECT_FALSE(choose_roce_gid({entry(2, kIpv4, GidType::kRoceV1)}));
    EXPECT_EQ(choose_roce_gid({entry(2, kIpv4, GidType::kRoceV1), entry(3, kIpv4)})->index, 3u);
}

TEST(GidSubnet, IsTheFirstHalf) {
    EXPECT_FALSE(other_subnet(*parse_gid(kLinkLocal),
                              *parse_gid("fe80:0000:0000:0000:0000:0000:"
                                         "0000:0001")));
    EXPECT_TRUE(other_subnet(*parse_gid(kLinkLocal), *parse_gid(kUla)));
}

TEST(RdmaAddressJson, RoundTrips) {
    RdmaAddress address{
        0xabcdef, 0x123456, 7, *parse_gid(kGlobal), 4096, 0xffff800000000000, 1 << 20, 0x80001234};
    const auto document = JsonDocument::parse(to_json(address).dump_exact());
    RdmaAddress read;
    const Status status = from_json(document->root(), read);
    ASSERT_TRUE(status) << status.message();
    EXPECT_EQ(read, address);
}

TEST(RdmaAddressJson, PeerThatIsTooWideIsRefused) {
    RdmaAddress address;
    address.queue_pair = 1 << 24;
    const auto document = JsonDocument::parse(to_json(address).dump_exact());
    RdmaAddress read;
    EXPECT_FALSE(from_json(document->root(), read));
    for (const std::string& text :
         std::vector<std::string>{"", "fe80::1", kZero + "0", kZero.substr(0, 38) + "g"}) {
        EXPECT_FALSE(parse_gid(text)) << text;
    }
    EXPECT_FALSE(parse_gid("0000-0000-0000-0000-0000-0000-0000-0000"));
}

}  // namespace
}  // namespace yardmaster
