#include "tests/sim/options.hpp"

#include <charconv>
#include <map>

namespace yardmaster::sim {

Status bad(const std::string& text) {
    return {ErrorCode::kInvalidArgument, text};
}

namespace {

Result<unsigned> number(const std::string& text) {
    unsigned value = 0;
    const bool hex = text.starts_with("0x");
    const char* begin = text.data() + (hex ? 2 : 0);
    const auto parsed = std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
        return bad("\"" + text + "\" is no number");
    }
    return value;
}

}  // namespace

Status with_number(const std::string& text, const std::function<Status(unsigned)>& use) {
    const auto value = number(text);
    return value ? use(*value) : value.status();
}

namespace {

Arguments split(const std::string& list) {
    Arguments parts;
    std::size_t begin = 0;
    for (auto comma = list.find(','); comma != std::string::npos; comma = list.find(',', begin)) {
        parts.push_back(list.substr(begin, comma - begin));
        begin = comma + 1;
    }
    parts.push_back(list.substr(begin));
    return parts;
}

Status take_minors(const std::string& list, NodeSettings& settings) {
    settings.minors.clear();
    for (const std::string& part : split(list)) {
        const auto minor = number(part);
        if (!minor) {
            return minor.status();
        }
        settings.minors.push_back(*minor);
    }
    return Status::ok();
}

Status take_option(const std::string& name, const std::string& value, NodeSettings& settings) {
    const auto store = [](auto& member) {
        return [&member](unsigned n) {
            member = n;
            return Status::ok();
        };
    };
    if (name == "--gpus") {
        return with_number(value, [&](unsigned n) {
            set_gpus(settings, n);
            return Status::ok();
        });
    }
    if (name == "--virtual-functions") {
        return with_number(value, store(settings.virtual_functions));
    }
    if (name == "--ports") {
        return with_number(value, [&](unsigned n) {
            settings.two_ports = n == 2;
            return n == 1 || n == 2 ? Status::ok() : bad("--ports takes 1 or 2");
        });
    }
    if (name == "--rate") {
        return with_number(value, store(settings.rail_gbps));
    }
    if (name == "--model") {
        return set_model(settings, value);
    }
    if (name == "--minors") {
        return take_minors(value, settings);
    }
    const std::map<std::string, std::string*> texts = {
        {"--node", &settings.node}, {"--wire", &settings.wire}, {"--library", &settings.library}};
    if (name == "--rails") {
        settings.rails = split(value);
    } else if (texts.count(name) != 0) {
        *texts.at(name) = value;
    } else {
        return bad("unknown option " + name);
    }
    return Status::ok();
}

/// A rail of the node may have the name that storage or management has by default.
void give_way_to_rails(NodeSettings& settings) {
    for (const std::string& rail : settings.rails) {
        for (std::string* other : {&settings.storage, &settings.management}) {
            if (*other == rail) {
                *other += "_x";
            }
        }
    }
}

}  // namespace

Result<NodeSettings> parse_options(const Arguments& options) {
    NodeSettings settings = default_settings();
    if (options.size() % 2 != 0) {
        return bad("every option of create takes a value");
    }
    for (std::size_t i = 0; i < options.size(); i += 2) {
        if (Status status = take_option(options[i], options[i + 1], settings); !status) {
            return status;
        }
    }
    give_way_to_rails(settings);
    return settings;
}

}  // namespace yardmaster::sim
