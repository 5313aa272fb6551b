#include "tests/faults/fault_table.hpp"

namespace yardmaster::faults {
namespace {

using enum Where;

void replace(std::string& text, std::string_view name, unsigned value) {
    const auto place = text.find(name);
    if (place != std::string::npos) {
        text.replace(place, name.size(), std::to_string(value));
    }
}

/// The parts of `text` between `separator`s.
std::vector<std::string> split(std::string_view text, std::string_view separator) {
    std::vector<std::string> parts;
    for (auto end = text.find(separator); end != std::string_view::npos;
         end = text.find(separator)) {
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(end + separator.size());
    }
    parts.emplace_back(text);
    return parts;
}

}  // namespace

bool can_exist(Where where, const sim::SimModel& model) {
    switch (where) {
        case kNvSwitch:
            return model.switched;
        case kFabric:
            return model.fabric.code == 0;
        case kRack:
            return !model.pci_domains.empty();
        case kNvlink4:
            return !model.nvlink5;
        case kNvlink5:
            return model.nvlink5;
        case kEthernet:
            return model.link_layer == "Ethernet";
        case kNicBeside:
            return model.nic_beside_gpu;
        case kEverywhere:
            break;
    }
    return true;
}

std::string_view why_not(Where where) {
    switch (where) {
        case kNvSwitch:
            return "bridges join PCIe cards, and how many links they wire is the site's choice";
        case kFabric:
            return "A100s and PCIe cards register with no NVLink fabric";
        case kRack:
            return "nodes outside an NVL72 belong to no cluster";
        case kNvlink4:
            return "NVLinks from Blackwell on have other counts";
        case kNvlink5:
            return "NVLinks before Blackwell's tell no bit error rate and have other counts";
        case kEthernet:
            return "an InfiniBand port has no network interface, and its link-local GID is enough";
        case kNicBeside:
            return "GPU and NIC meet in the CPU only, so no NIC is nearer than another";
        case kEverywhere:
            break;
    }
    return "";
}

std::string shown_on(const Fault& fault, const sim::SimModel& model) {
    std::string text(fault.shown);
    replace(text, "{rate}", static_cast<unsigned>(model.rail_gbps));
    replace(text, "{links}", model.links);
    replace(text, "{links-1}", model.links - 1);
    replace(text, "{gts}", static_cast<unsigned>(sim::pcie_gts(model)));
    return text;
}

std::vector<std::vector<std::string>> command_words(const Fault& fault) {
    std::vector<std::vector<std::string>> commands;
    for (const std::string& command : split(fault.commands, "; ")) {
        commands.push_back(split(command, " "));
        for (std::string& word : commands.back()) {
            for (auto place = word.find('_'); word.starts_with("N/A") && place != std::string::npos;
                 place = word.find('_')) {
                word[place] = ' ';
            }
        }
    }
    return commands;
}

}  // namespace yardmaster::faults
