#include "topology/receipt.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <vector>

#include "topology/gpu_list.hpp"

namespace yardmaster {
namespace {

constexpr std::string_view kPrefix = "yardmaster: ";
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
           (receipt.weights.empty() ? "" : " weights=" + receipt.weights);
}

std::string format_seconds(double seconds) {
    std::array<char, 32> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.4g", seconds);
    return buffer.data();
}

/// The words of what is known, each with a blank before it; "" for what is not.
std::vector<std::string> optional_words(const Receipt& receipt) {
    const auto time = [](const char* key, double seconds) {
        return seconds > 0 ? key + format_seconds(seconds) : "";
    };
    return {receipt.gpus != 0 ? " gpuset=" + format_gpu_list(receipt.gpus) : "",
            time(" time=", receipt.seconds),
            time(" best=", receipt.best_seconds),
            receipt.soft_taken + receipt.soft_left > 0
                ? " soft=" + std::to_string(receipt.soft_taken) + "/" +
                      std::to_string(receipt.soft_left)
                : ""};
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

bool read_gpus(std::string_view value, Receipt& receipt) {
    const auto gpus = parse_gpu_list(value);
    receipt.gpus = gpus.value_or(0);
    return gpus.has_value();
}

bool read_weights(std::string_view value, Receipt& receipt) {
    receipt.weights = value;
    return !value.empty();
}

bool read_seconds(std::string_view text, double& seconds) {
    const auto [end, error] = std::from_chars(text.begin(), text.end(), seconds);
    return error == std::errc() && end == text.end() && seconds > 0;
}

bool read_soft(std::string_view value, Receipt& receipt) {
    const auto [taken, left] = halves(value);
    return read_number(taken, receipt.soft_taken) && read_number(left, receipt.soft_left);
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

/// Those that need not be there, in any order.
constexpr Field kOptionalFields[] = {
    {"weights=", read_weights},
    {"gpuset=", read_gpus},
    {"soft=", read_soft},
    {"time=", [](std::string_view v, Receipt& r) { return read_seconds(v, r.seconds); }},
    {"best=", [](std::string_view v, Receipt& r) { return read_seconds(v, r.best_seconds); }},
};

/// Whether `word` is of the form key=value and, if the key is known, well-formed.
bool read_optional(std::string_view word, Receipt& receipt) {
    for (const Field& field : kOptionalFields) {
        if (word.starts_with(field.key)) {
            return field.read(word.substr(field.key.size()), receipt);
        }
    }
    return word.find('=') != std::string_view::npos && !word.starts_with('=');
}

/// `rest` begins with a blank: words, then perhaps the note.
Status read_tail(std::string_view rest, Receipt& receipt) {
    while (!rest.empty() && !rest.starts_with(kNoteKey)) {
        const std::string_view word = rest.substr(1, rest.find(' ', 1) - 1);
        if (!read_optional(word, receipt)) {
            return damaged(word);
        }
        rest.remove_prefix(1 + word.size());
    }
    receipt.note = rest.empty() ? "" : rest.substr(kNoteKey.size());
    return Status::ok();
}

}  // namespace

std::string format_receipt(const Receipt& receipt) {
    std::size_t tiers =
        std::max(receipt.facts.units_touched.size(), receipt.facts.ring_edges_leaving.size());
    std::string line = format_facts(receipt, tiers);
    // Only a tree of a dozen tiers comes here; what is left out is its top, where least happens.
    while (line.size() > kReceiptMaxBytes && tiers > 0) {
        line = format_facts(receipt, --tiers);
    }
    for (const std::string& word : optional_words(receipt)) {
        line += line.size() + word.size() <= kReceiptMaxBytes ? word : "";
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
        // The blank before the note belongs to the note's key.
        if (&field != std::end(kFields) - 1) {
            rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
        }
    }
    const Status status = read_tail(rest, receipt);
    return status ? Result<Receipt>(std::move(receipt)) : Result<Receipt>(status);
}

}  // namespace yardmaster
