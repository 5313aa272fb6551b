#include "cli/soft_nodes.hpp"

#include "cli/table.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {

std::vector<const SlurmNode*> soft_degraded(const std::vector<SlurmNode>& cluster) {
    std::vector<const SlurmNode*> marked;
    for (const SlurmNode& node : cluster) {
        if (node.soft) {
            marked.push_back(&node);
        }
    }
    return marked;
}

std::string soft_sentence(const SlurmNode& node) {
    return node.name + " is soft-degraded since " + time_text(node.soft->since) + ": " +
           node.soft->cause;
}

void print_soft_degraded(const std::vector<SlurmNode>& cluster, std::ostream& out) {
    Table table({"soft-degraded node", "cause", "since", "until"});
    for (const SlurmNode* node : soft_degraded(cluster)) {
        table.add({node->name,
                   node->soft->cause,
                   time_text(node->soft->since),
                   time_text(node->soft->until)});
    }
    if (!table.empty()) {
        out << '\n';
        table.print(out);
    }
}

JsonValue soft_degraded_to_json(const std::vector<SlurmNode>& cluster) {
    JsonValue json = JsonValue::array();
    for (const SlurmNode* node : soft_degraded(cluster)) {
        JsonValue entry = JsonValue::object();
        entry.set("node", node->name)
            .set("cause", node->soft->cause)
            .set("since", node->soft->since)
            .set("until", node->soft->until);
        json.append(std::move(entry));
    }
    return json;
}

}  // namespace yardmaster::cli
