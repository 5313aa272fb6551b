// NVML's versioned structures and typed fields, as libraries of different age answer them.
#include <gtest/gtest.h>

#include "healthcheck/gpu/nvml_functions.hpp"

namespace yardmaster {
namespace {

using namespace nvml_abi;  // NOLINT

template <typename Info>
void fill(Info& info) {
    info.cluster_uuid[0] = 0xab;
    info.cluster_uuid[15] = 0x01;
    info.status = 4;
    info.clique_id = 7;
    info.state = kFabricCompleted;
}

unsigned version_of(void* info) {
    return *static_cast<unsigned*>(info);
}

int newest(void*, void* info) {
    if (version_of(info) != struct_version<FabricInfoV3>(3)) {
        return kNvmlArgumentVersionMismatch;
    }
    auto& v3 = *static_cast<FabricInfoV3*>(info);
    fill(v3);
    v3.health_mask = 0x1a9;
    v3.health_summary = 2;
    return kNvmlSuccess;
}

int second(void*, void* info) {
    if (version_of(info) != struct_version<FabricInfoV2>(2)) {
        return kNvmlArgumentVersionMismatch;
    }
    auto& v2 = *static_cast<FabricInfoV2*>(info);
    fill(v2);
    v2.health_mask = 0x1aa;
    return kNvmlSuccess;
}

int first(void*, FabricInfoV1* info) {
    fill(*info);
    return kNvmlSuccess;
}

int unsupported(void*, void*) {
    return kNvmlNotSupported;
}

FabricReading read(const NvmlFunctions& functions) {
    FabricReading fabric;
    EXPECT_EQ(read_fabric_info(functions, nullptr, fabric), fabric.code);
    return fabric;
}

TEST(FabricInfo, VersionsAreSizeAndNumber) {
    // NVML_STRUCT_VERSION(GpuFabricInfo, 2) and (..., 3).
    EXPECT_EQ(struct_version<FabricInfoV2>(2), 0x02000024u);
    EXPECT_EQ(struct_version<FabricInfoV3>(3), 0x03000028u);
}

TEST(FabricInfo, NewestStructureIsTaken) {
    NvmlFunctions functions;
    functions.fabric_info_v = newest;
    const FabricReading expected{
        0, 3, kFabricCompleted, 4, 7, "ab000000-0000-0000-0000-000000000001", 0x1a9, 2};
    EXPECT_EQ(read(functions), expected);
}

TEST(FabricInfo, OlderLibrariesAnswerOlderStructures) {
    NvmlFunctions functions;
    functions.fabric_info_v = second;
    EXPECT_EQ(read(functions).version, 2u);
    EXPECT_EQ(read(functions).health, 0x1aau);
    functions.fabric_info_v = nullptr;
    functions.fabric_info = first;
    EXPECT_EQ(read(functions).version, 1u);
    EXPECT_EQ(read(functions).clique, 7u);
    EXPECT_EQ(read(functions).health, 0u);
}

TEST(FabricInfo, AbsentFunctionsAndUnsupportedGpusSaySo) {
    EXPECT_EQ(read({}).code, kNvmlFunctionNotFound);
    NvmlFunctions functions;
    functions.fabric_info_v = unsupported;
    functions.fabric_info = first;
    EXPECT_EQ(read(functions).code, kNvmlNotSupported) << "an answer, not a matter of version";
}

FieldValue field(int type) {
    FieldValue value{};
    value.value_type = type;
    return value;
}

TEST(FieldValue, EveryTypeIsRead) {
    FieldValue value = field(kUnsignedLongLongValue);
    value.value.unsigned_long_long = UINT64_MAX;
    EXPECT_EQ(number_of(value), (NvmlNumber{kNvmlSuccess, UINT64_MAX}));
    value = field(kUnsignedIntValue);
    value.value.unsigned_int = 4;
    EXPECT_EQ(number_of(value).value, 4u);
    value = field(kUnsignedShortValue);
    value.value.unsigned_short = 5;
    EXPECT_EQ(number_of(value).value, 5u);
    value = field(kSignedIntValue);
    value.value.signed_int = -1;
    EXPECT_EQ(number_of(value).value, 0u);
    value = field(kSignedLongLongValue);
    value.value.signed_long_long = 6;
    EXPECT_EQ(number_of(value).value, 6u);
    value = field(kDoubleValue);
    value.value.real = 7.9;
    EXPECT_EQ(number_of(value).value, 7u);
}

TEST(FieldValue, UnknownTypesAndErrorsHaveNoValue) {
    EXPECT_EQ(number_of(field(99)).code, kNvmlUnknown);
    FieldValue failed = field(kUnsignedIntValue);
    failed.value.unsigned_int = 1;
    failed.code = kNvmlNotSupported;
    EXPECT_EQ(number_of(failed), (NvmlNumber{kNvmlNotSupported, 0}));
}

TEST(NvmlFunctions, AllAreAbsentInALibraryOfSomethingElse) {
    // dlsym(RTLD_DEFAULT): this program has none of them.
    const NvmlFunctions functions = find_nvml_functions(nullptr);
    EXPECT_EQ(call_nvml(functions.init), kNvmlFunctionNotFound);
    unsigned width = 0;
    EXPECT_EQ(call_nvml(functions.pcie_width, nullptr, &width), kNvmlFunctionNotFound);
    EXPECT_TRUE(means_absent(kNvmlFunctionNotFound));
    EXPECT_FALSE(means_absent(kNvmlUnknown));
}

}  // namespace
}  // namespace yardmaster
