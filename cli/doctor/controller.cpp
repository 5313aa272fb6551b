#include "cli/doctor/controller.hpp"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/json_value.hpp"
#include "cli/words.hpp"
#include "healthcheck/budget/collect.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster::cli::doctor {
namespace {

struct ConfDeleter {
    void operator()(slurm_conf_t* conf) const { slurm_free_ctl_conf(conf); }
};

std::string text(const char* maybe) {
    return maybe != nullptr ? maybe : "";
}

/// Prolog= is one path until 22.05 and a list later.
template <typename Conf>
std::vector<std::string> prologs(const Conf& conf) {
    std::vector<std::string> list;
    if constexpr (requires { conf.prolog_cnt; }) {
        for (std::uint32_t i = 0; i < conf.prolog_cnt; ++i) {
            list.push_back(text(conf.prolog[i]));
        }
    } else if (conf.prolog != nullptr) {
        list.push_back(conf.prolog);
    }
    return list;
}

/// The flags that doctor judges, in PrologFlags='s words. What implies Alloc has set its bit.
std::string prolog_flags(std::uint32_t flags) {
    std::vector<std::string> words;
    if ((flags & PROLOG_FLAG_ALLOC) != 0) {
        words.push_back("Alloc");
    }
    if ((flags & PROLOG_FLAG_DEFER_BATCH) != 0) {
        words.push_back("DeferBatch");
    }
#ifdef PROLOG_FLAG_RUN_IN_JOB
    if ((flags & PROLOG_FLAG_RUN_IN_JOB) != 0) {
        words.push_back("RunInJob");
    }
#endif
    return join(words, ",");
}

JsonValue setting(const std::string& key, const std::string& value) {
    return JsonValue::object().set("key", key).set("value", value);
}

JsonValue settings_to_json(const slurm_conf_t& conf) {
    JsonValue list = JsonValue::array();
    list.append(setting("PluginDir", text(conf.plugindir)))
        .append(setting("SelectType", text(conf.select_type)))
        .append(setting("JobSubmitPlugins", text(conf.job_submit_plugins)))
        .append(setting("SchedulerParameters", text(conf.sched_params)))
        .append(setting("PrologFlags", prolog_flags(conf.prolog_flags)))
        .append(setting("MessageTimeout", std::to_string(conf.msg_timeout)))
        .append(setting("GresTypes", text(conf.gres_plugins)))
        .append(setting("AuthType", text(conf.authtype)))
        .append(setting("AuthInfo", text(conf.authinfo)))
        .append(setting("PrepPlugins", text(conf.prep_plugins)));
    if (conf.prolog_epilog_timeout != NO_VAL16) {
        list.append(setting("PrologEpilogTimeout", std::to_string(conf.prolog_epilog_timeout)));
    }
    for (const std::string& prolog : prologs(conf)) {
        list.append(setting("Prolog", prolog));
    }
    return list;
}

JsonValue node_to_json(const SlurmNode& node) {
    return JsonValue::object().set("name", node.name).set("gpus", node.gpus);
}

Status slurm_error(const std::string& what) {
    const int error = errno;  // where libslurm leaves it; slurm_get_errno() is gone from 24.11
    return {ErrorCode::kUnavailable, what + ": " + slurm_strerror(error)};
}

Result<JsonValue> ask(const std::string& slurm_conf) {
    setenv("SLURM_CONF", slurm_conf.c_str(), 1);
    auto client = connect_to_slurm();
    if (!client) {
        return client.status();
    }
    const std::time_t asked = std::time(nullptr);
    slurm_conf_t* raw = nullptr;
    if (slurm_load_ctl_conf(0, &raw) != SLURM_SUCCESS || raw == nullptr) {
        return slurm_error("slurmctld does not answer");
    }
    const std::time_t answered = std::time(nullptr);
    const std::unique_ptr<slurm_conf_t, ConfDeleter> conf(raw);
    const auto nodes = (*client)->nodes();
    if (!nodes) {
        return nodes.status();
    }
    // slurmctld stamps the answer with its clock (proc_req.c, _fill_ctld_conf), all series alike.
    return JsonValue::object()
        .set("version", text(conf->version))
        .set("time", conf->last_update)
        .set("asked", asked)
        .set("answered", answered)
        .set("settings", settings_to_json(*conf))
        .set("nodes", json_array_of(*nodes, node_to_json));
}

void send_answer(const std::string& slurm_conf, int fd) {
    const auto answer = ask(slurm_conf);
    const Status status = answer.status();
    write_line(fd,
               answer ? answer->dump_exact()
                      : JsonValue::object().set("error", status.message()).dump_exact());
}

Status parse_setting(const JsonNode& node, Settings& settings) {
    Setting setting;
    JsonFields fields(node);
    fields.string("key", setting.key);
    fields.string("value", setting.value);
    setting.key = lower_case(setting.key);
    setting.place = "slurmctld";
    settings.add(std::move(setting));
    return fields.status();
}

Status parse_node(const JsonNode& node, SlurmNode& target) {
    JsonFields fields(node);
    fields.string("name", target.name);
    fields.integer("gpus", target.gpus);
    return fields.status();
}

Result<ControllerAnswer> parse_answer(const JsonNode& node) {
    if (node.has("error")) {
        return Status(ErrorCode::kUnavailable, *node.at("error")->string());
    }
    ControllerAnswer answer;
    JsonFields fields(node);
    fields.string("version", answer.version);
    fields.integer("time", answer.time);
    fields.integer("asked", answer.asked);
    fields.integer("answered", answer.answered);
    fields.list("nodes", answer.nodes, parse_node);
    fields.read("settings", [&](const JsonNode& list) {
        Status status = list.elements().status();
        for (const JsonNode& element : status ? *list.elements() : std::vector<JsonNode>{}) {
            status = status ? parse_setting(element, answer.settings) : status;
        }
        return status;
    });
    return fields.status() ? Result<ControllerAnswer>(std::move(answer)) : fields.status();
}

}  // namespace

Result<ControllerAnswer> ask_controller(const std::string& slurm_conf) {
    const auto lines =
        run_task({"slurmctld's answer", [&](int fd) { send_answer(slurm_conf, fd); }},
                 Clock::now() + kControllerLimit);
    if (!lines) {
        return lines.status();
    }
    if (lines->empty()) {
        return Status(ErrorCode::kUnavailable,
                      "libslurm ends any program that uses it over " + slurm_conf +
                          "; `scontrol show config` prints why");
    }
    const auto document = JsonDocument::parse(lines->front());
    return document ? parse_answer(document->root()) : Result<ControllerAnswer>(document.status());
}

}  // namespace yardmaster::cli::doctor
