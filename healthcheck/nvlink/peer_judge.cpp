#include "healthcheck/nvlink/peer_judge.hpp"

#include <algorithm>

#include "healthcheck/gpu/gpu_judge.hpp"
#include "healthcheck/nvlink/model_table.hpp"

namespace yardmaster {
namespace {

constexpr const char* kSign = "nvlink.peer";

// nvmlGpuP2PStatus_t; every other value means that NVLink does not join the two.
constexpr std::uint64_t kJoined = 0;              // NVML_P2P_STATUS_OK
constexpr std::uint64_t kDisabledByRegistry = 4;  // NVML_P2P_STATUS_DISABLED_BY_REGKEY
constexpr std::uint64_t kStatusUnknown = 6;       // NVML_P2P_STATUS_UNKNOWN

/// No GPU-to-GPU traffic in MIG mode (NVIDIA MIG user guide); by bridge on PCIe cards.
bool promises_nvlink(const GpuReading& gpu) {
    const auto model = find_nvlink_model(gpu.model);
    return model && !model->by_board && !(gpu.mig_mode.ok() && gpu.mig_mode.value == 1);
}

bool apart(const PeerReading& peer) {
    return peer.status.ok() && peer.status.value != kJoined &&
           peer.status.value != kDisabledByRegistry && peer.status.value != kStatusUnknown;
}

/// A GPU of the job, and the peers of the job that NVLink does not lead to.
struct Member {
    unsigned minor;
    const GpuReading* gpu;
    std::vector<unsigned> cut_off;  ///< minors
    long cut_off_on_node = 0;       ///< all devices, other jobs' too
};

std::vector<Member> members_of(const CheckScope& scope, const std::vector<GpuReading>& gpus) {
    std::vector<Member> members;
    for (unsigned minor : scope.gpus) {
        const GpuReading* gpu = find_gpu(gpus, minor);
        if (gpu != nullptr && promises_nvlink(*gpu)) {
            const auto& peers = gpu->nvlink.peers;
            members.push_back({minor, gpu, {}, std::count_if(peers.begin(), peers.end(), apart)});
        }
    }
    return members;
}

const PeerReading* find_peer(const GpuReading& gpu, unsigned index) {
    const auto& peers = gpu.nvlink.peers;
    const auto found = std::find_if(
        peers.begin(), peers.end(), [&](const PeerReading& peer) { return peer.index == index; });
    return found == peers.end() ? nullptr : &*found;
}

/// Whether either of the two says that they are not joined.
bool apart(const Member& a, const Member& b) {
    const PeerReading* there = find_peer(*a.gpu, b.gpu->index);
    const PeerReading* back = find_peer(*b.gpu, a.gpu->index);
    return (there != nullptr && apart(*there)) || (back != nullptr && apart(*back));
}

void find_cut_off(std::vector<Member>& members) {
    for (Member& a : members) {
        for (const Member& b : members) {
            if (a.minor != b.minor && apart(a, b)) {
                a.cut_off.push_back(b.minor);
            }
        }
    }
}

bool any_pair_joined(const std::vector<Member>& members) {
    return std::any_of(members.begin(), members.end(), [](const Member& member) {
        const auto& peers = member.gpu->nvlink.peers;
        return std::any_of(peers.begin(), peers.end(), [](const PeerReading& peer) {
            return peer.status.ok() && peer.status.value == kJoined;
        });
    });
}

std::string names_of(const std::vector<unsigned>& minors) {
    std::string text;
    for (unsigned minor : minors) {
        text += (text.empty() ? "" : ", ") + gpu_name(minor);
    }
    return text;
}

/// Takes the GPU with the most bad pairs out of the others' lists, and so on until none is left.
void name_culprits(std::vector<Member>& members, bool certain, std::vector<Finding>& findings) {
    while (true) {
        const auto worst =
            std::max_element(members.begin(), members.end(), [](const Member& a, const Member& b) {
                return std::pair(a.cut_off.size(), a.cut_off_on_node) <
                       std::pair(b.cut_off.size(), b.cut_off_on_node);
            });
        if (worst == members.end() || worst->cut_off.empty()) {
            return;
        }
        findings.push_back({"nvlink",
                            gpu_name(worst->minor),
                            kSign,
                            Verdict::kDegraded,
                            certain,
                            "no NVL path",
                            "NVLink does not lead to " + names_of(worst->cut_off)});
        for (Member& member : members) {
            std::erase(member.cut_off, worst->minor);
        }
        worst->cut_off.clear();
    }
}

void note_unknown(const std::vector<Member>& members, std::vector<Finding>& findings) {
    for (const Member& member : members) {
        const auto& peers = member.gpu->nvlink.peers;
        const auto odd = std::find_if(peers.begin(), peers.end(), [](const PeerReading& peer) {
            return peer.status.ok() ? peer.status.value == kDisabledByRegistry ||
                                          peer.status.value == kStatusUnknown
                                    : !means_absent(peer.status.code);
        });
        if (odd != peers.end()) {
            findings.push_back({"nvlink",
                                gpu_name(member.minor),
                                kSign,
                                Verdict::kUnknown,
                                false,
                                "",
                                odd->status.ok() && odd->status.value == kDisabledByRegistry
                                    ? "peer access is switched off by a setting of the driver"
                                    : "whether NVLink leads to its peers is not known"});
        }
    }
}

}  // namespace

std::vector<Finding> judge_peers(const CheckScope& scope, const std::vector<GpuReading>& gpus) {
    std::vector<Finding> findings;
    std::vector<Member> members = members_of(scope, gpus);
    if (members.size() < 2) {
        return findings;  // a job with one GPU sends nothing over NVLink
    }
    const bool all_read = std::none_of(members.begin(), members.end(), [](const Member& member) {
        return member.gpu->nvlink.peers.empty();
    });
    if (!all_read) {
        return findings;  // with one side's word only, the wrong one of a pair could be named
    }
    find_cut_off(members);
    name_culprits(members, any_pair_joined(members), findings);
    note_unknown(members, findings);
    return findings;
}

}  // namespace yardmaster
