// The reader of fabric.json: walks the document and hands its pieces to FabricBuilder. The format
// is described in docs/fabric-file.md.
#include <algorithm>

#include "base/json.hpp"
#include "topology/fabric_builder.hpp"
#include "topology/hostlist.hpp"

namespace yardmaster {
namespace {

constexpr std::int64_t kVersion = 1;
// Bounds that catch a slipped digit or unit; real values lie far inside.
constexpr std::int64_t kMaxGpus = 64;
constexpr double kMaxNvlinkGigabytes = 100000;
constexpr double kMaxRailGbps = 100000;
constexpr double kMaxOversubscription = 1000;

/// Reads one piece of a document and remembers where it stands for errors of the builder.
class FabricReader {
  public:
    Result<Fabric> read(const JsonNode& root);

  private:
    Status read_version(const JsonNode& root);
    Status read_types(const JsonNode& types);
    Status read_type(const std::string& name, const JsonNode& node);
    Status read_nodes(const JsonNode& nodes);
    Status read_domains(const JsonNode& domains);
    Status read_switches(const JsonNode& switches, std::optional<UnitIndex> parent);
    Status read_unit(const JsonNode& node, std::optional<UnitIndex> parent);
    Status read_exceptions(const JsonNode& exceptions);
    Status read_exception(const JsonNode& node);

    FabricBuilder builder_;
};

Result<std::string> string_at(const JsonNode& node, std::string_view key) {
    auto member = node.at(key);
    return member ? member->string() : member.status();
}

/// The names a hostlist at `node` stands for; at least one.
Result<std::vector<std::string>> hosts(const JsonNode& node, std::string_view expression) {
    auto names = expand_hostlist(expression);
    if (!names) {
        return names.status().with_context(node.path());
    }
    if (names->empty()) {
        return node.error("must name at least one node");
    }
    return names;
}

Result<std::vector<std::string>> hosts(const JsonNode& node) {
    auto expression = node.string();
    return expression ? hosts(node, *expression) : expression.status();
}

Result<Rail> read_rail(const JsonNode& node) {
    auto nic = string_at(node, "nic");
    if (!nic) {
        return nic.status();
    }
    if (nic->empty()) {
        return node.error("must name its NIC as /sys/class/infiniband does, e.g. \"mlx5_0\"");
    }
    auto member = node.at("gbps");
    auto gbps = member ? member->number(0, kMaxRailGbps) : Result<double>(member.status());
    if (!gbps) {
        return gbps.status();
    }
    return Rail{std::move(nic).value(), *gbps};
}

Result<std::vector<Rail>> read_rails(const JsonNode& node) {
    auto elements = node.elements();
    if (!elements) {
        return elements.status();
    }
    std::vector<Rail> rails;
    for (const JsonNode& element : *elements) {
        if (Status status = element.only_keys({"nic", "gbps"}); !status) {
            return status;
        }
        auto rail = read_rail(element);
        if (!rail) {
            return rail.status();
        }
        rails.push_back(std::move(rail).value());
    }
    return rails;
}

Status FabricReader::read_version(const JsonNode& root) {
    auto version = root.at("version");
    if (!version) {
        return version.status();
    }
    if (json_is_integer(version->raw()) && json_integer_value(version->raw()) != kVersion) {
        const Status error =
            version->error("but this build reads version " + std::to_string(kVersion) +
                           "; write the file anew or install the matching Yardmaster");
        return {ErrorCode::kUnsupported, error.message()};
    }
    return version->integer(kVersion, kVersion).status();
}

Status FabricReader::read_type(const std::string& name, const JsonNode& node) {
    if (Status status = node.only_keys({"gpus", "nvlink_gigabytes_per_s", "rails"}); !status) {
        return status;
    }
    NodeType type;
    type.name = name;
    auto member = node.at("gpus");
    auto gpus = member ? member->integer(0, kMaxGpus) : Result<std::int64_t>(member.status());
    if (!gpus) {
        return gpus.status();
    }
    type.gpus = static_cast<std::uint16_t>(*gpus);
    if (node.has("nvlink_gigabytes_per_s")) {
        auto nvlink = node.at("nvlink_gigabytes_per_s")->number(0, kMaxNvlinkGigabytes);
        if (!nvlink) {
            return nvlink.status();
        }
        type.nvlink_gigabytes_per_s = *nvlink;
    }
    if (node.has("rails")) {
        auto rails = read_rails(*node.at("rails"));
        if (!rails) {
            return rails.status();
        }
        type.rails = std::move(rails).value();
    }
    return builder_.add_type(std::move(type)).with_context(node.path());
}

Status FabricReader::read_types(const JsonNode& types) {
    auto members = types.members();
    if (!members) {
        return members.status();
    }
    for (const auto& [name, node] : *members) {
        if (Status status = read_type(name, node); !status) {
            return status;
        }
    }
    return Status::ok();
}

Status FabricReader::read_nodes(const JsonNode& nodes) {
    auto members = nodes.members();
    if (!members) {
        return members.status();
    }
    for (const auto& [expression, node] : *members) {
        auto names = hosts(node, expression);
        if (!names) {
            return names.status();
        }
        auto type = node.string();
        if (!type) {
            return type.status();
        }
        if (Status status = builder_.add_nodes(*names, *type); !status) {
            return status.with_context(node.path());
        }
    }
    return Status::ok();
}

Status FabricReader::read_domains(const JsonNode& domains) {
    auto members = domains.members();
    if (!members) {
        return members.status();
    }
    for (const auto& [name, node] : *members) {
        auto names = hosts(node);
        if (!names) {
            return names.status();
        }
        if (Status status = builder_.add_domain(name, *names); !status) {
            return status.with_context(node.path());
        }
    }
    return Status::ok();
}

Status FabricReader::read_unit(const JsonNode& node, std::optional<UnitIndex> parent) {
    if (Status status = node.only_keys({"name", "oversubscription", "children", "nodes"});
        !status) {
        return status;
    }
    auto name = string_at(node, "name");
    if (!name) {
        return name.status();
    }
    if (node.has("children") == node.has("nodes")) {
        return {ErrorCode::kMalformed,
                node.path() + ": switch unit \"" + *name + "\" has " +
                    (node.has("nodes") ? "both \"children\" and" : "neither \"children\" nor") +
                    " \"nodes\"; give \"nodes\" to a leaf group and "
                    "\"children\" to all others"};
    }
    double oversubscription = 1;
    if (node.has("oversubscription")) {
        auto given = node.at("oversubscription")->number(1, kMaxOversubscription);
        if (!given) {
            return given.status();
        }
        oversubscription = *given;
    }
    auto unit = builder_.add_unit(*name, parent, oversubscription);
    if (!unit) {
        return unit.status().with_context(node.path());
    }
    if (node.has("children")) {
        return read_switches(*node.at("children"), *unit);
    }
    const JsonNode leaf = *node.at("nodes");
    auto names = hosts(leaf);
    if (!names) {
        return names.status();
    }
    return builder_.add_leaf_nodes(*unit, *names).with_context(leaf.path());
}

Status FabricReader::read_switches(const JsonNode& switches, std::optional<UnitIndex> parent) {
    auto elements = switches.elements();
    if (!elements) {
        return elements.status();
    }
    if (parent && elements->empty()) {
        return switches.error("must hold at least one unit");
    }
    for (const JsonNode& element : *elements) {
        if (Status status = read_unit(element, parent); !status) {
            return status;
        }
    }
    return Status::ok();
}

Status FabricReader::read_exception(const JsonNode& node) {
    if (Status status = node.only_keys({"node", "gpu", "nic", "gbps"}); !status) {
        return status;
    }
    auto name = string_at(node, "node");
    if (!name) {
        return name.status();
    }
    auto member = node.at("gpu");
    auto gpu = member ? member->integer(0, kMaxGpus - 1) : Result<std::int64_t>(member.status());
    if (!gpu) {
        return gpu.status();
    }
    auto nic = node.at("nic");
    if (!nic) {
        return nic.status();
    }
    RailException exception{GpuIndex{static_cast<std::uint16_t>(*gpu)}, std::nullopt};
    if (!json_is_null(nic->raw())) {
        auto rail = read_rail(node);
        if (!rail) {
            return rail.status();
        }
        exception.rail = std::move(rail).value();
    } else if (node.has("gbps")) {
        return node.error("a missing NIC (\"nic\": null) has no \"gbps\"");
    }
    return builder_.add_exception(*name, std::move(exception)).with_context(node.path());
}

Status FabricReader::read_exceptions(const JsonNode& exceptions) {
    auto elements = exceptions.elements();
    if (!elements) {
        return elements.status();
    }
    for (const JsonNode& element : *elements) {
        if (Status status = read_exception(element); !status) {
            return status;
        }
    }
    return Status::ok();
}

Result<Fabric> FabricReader::read(const JsonNode& root) {
    // The version first: a file of another version may have other keys.
    if (Status status = read_version(root); !status) {
        return status;
    }
    if (Status status = root.only_keys(
            {"version", "node_types", "nodes", "nvlink_domains", "switches", "exceptions"});
        !status) {
        return status;
    }
    auto types = root.at("node_types");
    auto nodes = root.at("nodes");
    Status status = types ? read_types(*types) : types.status();
    if (status) {
        status = nodes ? read_nodes(*nodes) : nodes.status();
    }
    if (status && root.has("nvlink_domains")) {
        status = read_domains(*root.at("nvlink_domains"));
    }
    if (status && root.has("switches")) {
        status = read_switches(*root.at("switches"), std::nullopt);
    }
    if (status && root.has("exceptions")) {
        status = read_exceptions(*root.at("exceptions"));
    }
    return status ? std::move(builder_).build() : Result<Fabric>(status);
}

Result<Fabric> read_document(const JsonDocument& document, std::string_view source) {
    auto fabric = FabricReader().read(document.root());
    return fabric ? std::move(fabric) : Result<Fabric>(fabric.status().with_context(source));
}

}  // namespace

Result<Fabric> Fabric::load(const std::string& file) {
    auto document = JsonDocument::load(file);
    return document ? read_document(*document, file) : Result<Fabric>(document.status());
}

Result<Fabric> Fabric::parse(std::string_view json, std::string_view source) {
    auto document = JsonDocument::parse(json);
    return document ? read_document(*document, source)
                    : Result<Fabric>(document.status().with_context(source));
}

}  // namespace yardmaster
