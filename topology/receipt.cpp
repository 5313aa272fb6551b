#include "topology/receipt.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace yardmaster {
namespace {

constexpr std::string_view kPrefix = "yardmaster: ";
constexpr std::string_view kWeightsKey = " weights=";
constexpr std::string_view kNoteKey = " note=";

std::string joined(const std::vector<std::uint32_t>& numbers, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < std::min(count, numbers.size()); ++i) {
        text += (i > 0 ? "," : "") + std::to_string(numbers[i]);
    }
    return text.empty() ? "-" : text;
}

/// The facts, of the switch tiers only the lowest `tiers`.
std::string format_facts(const Receipt& receipt, std::size_t tiers) {
    const PlacementFacts& facts = receipt.facts;
    const std::string hints = receipt.hints.to_string();
    const bool ours = receipt.chooser == Receipt::Chooser::kYardmaster;
    return std::string(kPrefix) + "by=" + (ours ? "yardmaster" : "stock") +
           " hints=" + (hints.empty() ? "-" : hints) + " nodes=" + std::to_string(receipt.nodes) +
           " gpus=" + std::to_string(receipt.gpus_per_node) +
           " tp=" + std::to_string(facts.tp_groups) + "/" + std::to_string(facts.split_tp_groups) +
           " domains=" + std::to_string(facts.nvlink_domains) +
           " units=" + joined(facts.units_touched, tiers) +
           " ring=" + std::to_string(facts.ring_edges) + "/" +
           joined(facts.ring_edges_leaving, tiers) + " rank=" + std::to_string(receipt.rank) +
           (receipt.weights.empty() ? "" : std::string(kWeightsKey) + receipt.weights);
}

/// AdminComment passes through shells, JSON and scontrol's key=value output.
char printable(char c) {
    return c >= ' ' && c <= '~' ? c : '?';
}

Status damaged(std::string_view word) {
    return {ErrorCode::kMalformed, "receipt: damaged at \"" + std::string(word) + "\""};
}

bool read_number(std::string_view text, std::uint32_t& number) {
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    return error == std::errc() && end == text.end();
}

bool read_numbers(std::string_view text, std::vector<std::uint32_t>& numbers) {
    if (text == "-") {
        return true;
    }
    while (true) {
        const std::size_t comma = text.find(',');
        std::uint32_t number = 0;
        if (!read_number(text.substr(0, comma), number)) {
            return false;
        }
        numbers.push_back(number);
        if (comma == std::string_view::npos) {
            return true;
        }
        text.remove_prefix(comma + 1);
    }
}

/// Splits "A/B"; B is empty without a slash, which no reader below accepts.
std::pair<std::string_view, std::string_view> halves(std::string_view text) {
    const std::size_t slash = text.find('/');
    return slash == std::string_view::npos
               ? std::pair(text, std::string_view())
               : std::pair(text.substr(0, slash), text.substr(slash + 1));
}

bool read_chooser(std::string_view value, Receipt& receipt) {
    const bool ours = value == "yardmaster";
    receipt.chooser = ours ? Receipt::Chooser::kYardmaster : Receipt::Chooser::kStock;
    return ours || value == "stock";
}

bool read_hints(std::string_view value, Receipt& receipt) {
    auto hints = parse_hints(value == "-" ? "" : value);
    if (hints) {
        receipt.hints = *hints;
    }
    return hints.is_ok();
}

bool read_tp(std::string_view value, Receipt& receipt) {
    const auto [groups, split] = halves(value);
    return read_number(groups, receipt.facts.tp_groups) &&
           read_number(split, receipt.facts.split_tp_groups);
}

bool read_ring(std::string_view value, Receipt& receipt) {
    const auto [edges, leaving] = halves(value);
    return read_number(edges, receipt.facts.ring_edges) &&
           read_numbers(leaving, receipt.facts.ring_edges_leaving);
}

struct Field {
    std::string_view key;
    bool (*read)(std::string_view value, Receipt& receipt);
};

constexpr Field kFields[] = {
    {"by=", read_chooser},
    {"hints=", read_hints},
    {"nodes=", [](std::string_view v, Receipt& r) { return read_number(v, r.nodes); }},
    {"gpus=", [](std::string_view v, Receipt& r) { return read_number(v, r.gpus_per_node); }},
    {"tp=", read_tp},
    {"domains=",
     [](std::string_view v, Receipt& r) { return read_number(v, r.facts.nvlink_domains); }},
    {"units=",
     [](std::string_view v, Receipt& r) { return read_numbers(v, r.facts.units_touched); }},
    {"ring=", read_ring},
    {"rank=", [](std::string_view v, Receipt& r) { return read_number(v, r.rank); }},
};

}  // namespace

std::string format_receipt(const Receipt& receipt) {
    std::size_t tiers =
        std::max(receipt.facts.units_touched.size(), receipt.facts.ring_edges_leaving.size());
    std::string line = format_facts(receipt, tiers);
    // Only a tree of a dozen tiers comes here; what is left out is its top, where least happens.
    while (line.size() > kReceiptMaxBytes && tiers > 0) {
        line = format_facts(receipt, --tiers);
    }
    if (!receipt.note.empty() && line.size() + kNoteKey.size() < kReceiptMaxBytes) {
        line += std::string(kNoteKey) + receipt.note;
        line.resize(std::min(line.size(), kReceiptMaxBytes));
    }
    std::transform(line.begin(), line.end(), line.begin(), printable);
    return line;
}

bool is_receipt(std::string_view admin_comment) {
    return admin_comment.substr(0, kPrefix.size()) == kPrefix;
}

Result<Receipt> parse_receipt(std::string_view line) {
    if (!is_receipt(line)) {
        return Status(ErrorCode::kNotFound, "no receipt: does not start with \"yardmaster:\"");
    }
    Receipt receipt;
    std::string_view rest = line.substr(kPrefix.size());
    for (const Field& field : kFields) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        if (word.substr(0, field.key.size()) != field.key ||
            !field.read(word.substr(field.key.size()), receipt)) {
            return damaged(word);
        }
        rest.remove_prefix(word.size());
        // The blank before what may follow belongs to its key.
        if (&field != std::end(kFields) - 1) {
            rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
        }
    }
    if (rest.starts_with(kWeightsKey)) {
        rest.remove_prefix(kWeightsKey.size());
        receipt.weights = rest.substr(0, rest.find(' '));
        if (receipt.weights.empty()) {
            return damaged(kWeightsKey);
        }
        rest.remove_prefix(receipt.weights.size());
    }
    if (rest.empty()) {
        return receipt;
    }
    if (rest.substr(0, kNoteKey.size()) != kNoteKey) {
        return damaged(rest);
    }
    receipt.note = rest.substr(kNoteKey.size());
    return receipt;
}

}  // namespace yardmaster
