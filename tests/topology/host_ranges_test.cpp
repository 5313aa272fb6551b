// Host lists as ranges, held to libslurm's expansion of the same lists.
#include "topology/host_ranges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "topology/hostlist.hpp"

namespace yardmaster {
namespace {

using testing::HasSubstr;

std::vector<HostRange> ranges(std::string_view list) {
    const auto read = host_ranges(list);
    EXPECT_TRUE(read) << read.status().message();
    return read ? *read : std::vector<HostRange>{};
}

std::vector<std::string> names(std::string_view list) {
    std::vector<std::string> result;
    for (const HostRange& range : ranges(list)) {
        for (std::uint64_t number = range.first; number <= range.last; ++number) {
            result.push_back(range.name(number));
        }
    }
    return result;
}

TEST(HostRanges, StandForTheNamesThatSlurmReads) {
    for (const char* list : {"n[1-4]",
                             "n[08-11]",
                             "n[9-11]",
                             "n7,n07",
                             "a,b[1,3-4]",
                             "",
                             "rack1n[1-2],rack2n3",
                             "n1-ib,n2-ib",
                             "login"}) {
        EXPECT_EQ(names(list), *expand_hostlist(list)) << list;
    }
}

TEST(HostRanges, OtherListsAreErrors) {
    for (const char* list :
         {"n[1-2]-ib", "n1[0-3]", "a[1-2]b[1-2]", "n[", "n[3-1]", "n[]", "n[1-2"}) {
        EXPECT_FALSE(host_ranges(list)) << list;
    }
    EXPECT_THAT(host_ranges("n[1-2]-ib").status().message(), HasSubstr("n[1-2]-ib"));
}

TEST(HostsIn, CountsInTheOrderOfTheFirstList) {
    const HostsIn found = hosts_in(ranges("n[1,3,2,4]"), ranges("n[2-4]"), "n2");
    EXPECT_EQ(found.count, 3U);
    EXPECT_EQ(found.first, "n3");
    EXPECT_EQ(found.place, 1U);
}

TEST(HostsIn, AHostInOneListOnlyHasNoPlace) {
    EXPECT_EQ(hosts_in(ranges("n[1-4]"), ranges("n[2-4]"), "n1").place, std::nullopt);
    EXPECT_EQ(hosts_in(ranges("n[2-4]"), ranges("n[1-4]"), "n1").place, std::nullopt);
    EXPECT_EQ(hosts_in(ranges("n[1-4]"), ranges("m[1-4]"), "n1").count, 0U);
}

TEST(HostsIn, ZerosBeforeANumberTellHostsApart) {
    EXPECT_EQ(hosts_in(ranges("n[08-12]"), ranges("n[8-12]"), "n10").count, 3U);  // 10, 11, 12
    EXPECT_EQ(hosts_in(ranges("n[08-12]"), ranges("n[8-12]"), "n10").place, 0U);
    EXPECT_EQ(hosts_in(ranges("n[08-12]"), ranges("n8,n9"), "n8").count, 0U);
    EXPECT_EQ(hosts_in(ranges("n[0-3]"), ranges("n0,n"), "n0").count, 1U);
}

/// What hosts_in means, by names.
HostsIn by_names(std::string_view ordered, std::string_view wanted, const std::string& host) {
    const auto all = expand_hostlist(ordered);
    const auto in = expand_hostlist(wanted);
    HostsIn result;
    for (const std::string& name : *all) {
        if (std::find(in->begin(), in->end(), name) == in->end()) {
            continue;
        }
        result.first = result.count == 0 ? name : result.first;
        result.place = name == host ? std::optional(result.count) : result.place;
        ++result.count;
    }
    return result;
}

TEST(HostsIn, AgreesWithNamesOnRandomLists) {
    std::mt19937 random(4);
    for (int round = 0; round < 300; ++round) {
        std::vector<std::string> all;
        for (int i = 0; i < 40; ++i) {
            const std::string digits = std::to_string(i);
            all.push_back("n" + digits);
            if (digits.size() < 2) {
                all.push_back("n0" + digits);
            }
            all.push_back("m" + std::string(3 - digits.size(), '0') + digits);
        }
        std::shuffle(all.begin(), all.end(), random);
        const std::vector<std::string> some(all.begin(), all.begin() + 30);
        std::sort(all.begin() + 20, all.begin() + 60);
        const std::vector<std::string> others(all.begin() + 10, all.begin() + 60);
        const std::string ordered = compress_hostlist(some);
        const std::string wanted = compress_hostlist(others);
        const HostsIn meant = by_names(ordered, wanted, some[12]);
        const HostsIn found = hosts_in(ranges(ordered), ranges(wanted), some[12]);
        EXPECT_EQ(found.count, meant.count) << ordered << " in " << wanted;
        EXPECT_EQ(found.first, meant.first) << ordered << " in " << wanted;
        EXPECT_EQ(found.place, meant.place) << ordered << " in " << wanted;
    }
}

}  // namespace
}  // namespace yardmaster
