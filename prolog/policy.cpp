#include "prolog/policy.hpp"

#include <functional>
#include <map>

#include "base/json.hpp"

namespace yardmaster {
namespace {

using Reader = std::function<Status(const JsonNode&)>;
using Readers = std::map<std::string, Reader>;

/// Every key is optional; one that `readers` does not name is an error.
Status read_object(const JsonNode& object, const Readers& readers) {
    auto members = object.members();
    if (!members) {
        return members.status();
    }
    std::vector<std::string_view> known;
    for (const auto& [key, reader] : readers) {
        known.push_back(key);
    }
    if (Status status = object.only_keys(known); !status) {
        return status;
    }
    for (const auto& [key, member] : *members) {
        if (Status status = readers.at(key)(member); !status) {
            return status;
        }
    }
    return Status::ok();
}

std::string replace_node(std::string text, const std::string& node) {
    for (auto at = text.find("%n"); at != std::string::npos; at = text.find("%n", at)) {
        text.replace(at, 2, node);
        at += node.size();
    }
    return text;
}

Reader path_into(std::string& target, const std::string& node, bool absolute) {
    return [&target, &node, absolute](const JsonNode& value) {
        auto text = value.string();
        if (!text) {
            return text.status();
        }
        if (text->empty() || (absolute && text->front() != '/')) {
            return value.error("must be an absolute path");
        }
        target = replace_node(*text, node);
        while (target.size() > 1 && target.ends_with('/')) {
            target.pop_back();
        }
        return Status::ok();
    };
}

Reader flag_into(bool& target) {
    return [&target](const JsonNode& value) {
        auto flag = value.boolean();
        if (flag) {
            target = *flag;
        }
        return flag.status();
    };
}

/// 0 is allowed for a limit: it turns draining off altogether.
Reader limit_into(unsigned& target) {
    return [&target](const JsonNode& value) {
        auto number = value.integer(0, 1000000);
        if (number) {
            target = static_cast<unsigned>(*number);
        }
        return number.status();
    };
}

Reader deadline_into(std::chrono::milliseconds& target) {
    return [&target](const JsonNode& value) {
        auto seconds = value.number(0.5, 600);
        if (seconds) {
            target = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
        }
        return seconds.status();
    };
}

Reader window_into(std::chrono::seconds& target) {
    return [&target](const JsonNode& value) {
        auto seconds = value.integer(1, 31536000);
        if (seconds) {
            target = std::chrono::seconds(*seconds);
        }
        return seconds.status();
    };
}

Reader breaker_into(BreakerPolicy& breaker) {
    return [&breaker](const JsonNode& value) {
        return read_object(value,
                           {{"max_drains", limit_into(breaker.max_drains)},
                            {"max_same_cause", limit_into(breaker.max_same_cause)},
                            {"max_job_drains", limit_into(breaker.max_job_drains)},
                            {"window_s", window_into(breaker.window)}});
    };
}

Reader health_into(HealthPolicy& policy, const std::string& node) {
    return [&policy, &node](const JsonNode& value) {
        return read_object(value,
                           {{"enforce", flag_into(policy.enforce)},
                            {"deadline_s", deadline_into(policy.deadline)},
                            {"evidence_dir", path_into(policy.evidence_dir, node, true)},
                            {"breaker", breaker_into(policy.breaker)},
                            {"sysfs_root", path_into(policy.sources.sysfs_root, node, true)},
                            {"nvml_library", path_into(policy.sources.nvml_library, node, false)}});
    };
}

}  // namespace

HealthPolicy default_policy() {
    return {};
}

Result<HealthPolicy> parse_policy(std::string_view json,
                                  std::string_view source,
                                  const std::string& node) {
    auto document = JsonDocument::parse(json);
    if (!document) {
        return document.status().with_context(source);
    }
    HealthPolicy policy;
    const Status status = read_object(document->root(), {{"health", health_into(policy, node)}});
    if (!status) {
        return status.with_context(source);
    }
    return policy;
}

}  // namespace yardmaster
