// yardmaster-rdma-probe: the RDMA check's measuring part, as a program of its own, because a driver
// may hang it.
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "base/json_value.hpp"
#include "healthcheck/budget/child.hpp"
#include "healthcheck/rdma/probe/probe_options.hpp"
#include "healthcheck/rdma/rdma_json.hpp"

namespace yardmaster {
namespace {

constexpr int kStdout = 1;
/// After the budget and this, a call that does not return ends the program, as far as the kernel
/// lets it: for use by hand. The check itself gives the probe up at its own deadline.
constexpr unsigned kLastGraceS = 5;

void say(const char* kind, JsonValue value) {
    write_line(kStdout, JsonValue::object().set(kind, std::move(value)).dump_exact());
}

JsonValue gid_to_json(const GidEntry& entry) {
    return JsonValue::object()
        .set("index", entry.index)
        .set("gid", gid_text(entry.gid))
        .set("type", static_cast<int>(entry.type))
        .set("scope", to_string(scope_of(entry.gid)));
}

constexpr unsigned kMostPorts = 4;  // more than any NIC has

/// One line a port of `device`, or one about why it could not be opened.
void list_device(VerbsApi& verbs, const std::string& name) {
    const auto device = verbs.open(name);
    if (!device) {
        say("rdma_device",
            JsonValue::object().set("device", name).set("error", device.status().message()));
        return;
    }
    for (unsigned number = 1; number <= kMostPorts; ++number) {
        const auto port = (*device)->port(number);
        if (!port) {
            return;
        }
        const auto gids = (*device)->gids(number);
        say("rdma_device",
            JsonValue::object()
                .set("device", name)
                .set("firmware", (*device)->firmware())
                .set("port", number)
                .set("active", port->active)
                .set("ethernet", port->ethernet)
                .set("mtu_bytes", port->mtu_bytes)
                .set("lid", port->lid)
                .set(
                    "gids",
                    gids ? json_array_of(*gids, gid_to_json) : JsonValue(gids.status().message())));
    }
}

int fail(const std::string& why) {
    say("rdma_error", why);
    return 1;
}

void measure(VerbsApi& verbs, const ProbeOptions& options) {
    const MeasureSinks sinks{[](const RdmaPairReading& pair) { say("rdma_pair", to_json(pair)); },
                             [](const std::string& step) { say("rdma_step", step); }};
    const auto begin = Clock::now();
    measure_pairs(verbs, options.pairs, options.settings, sinks);
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
    say("rdma_end", JsonValue::object().set("took_ms", took.count()));
}

int run(const ProbeOptions& options) {
    say("rdma_step", "load " + options.library);
    const auto verbs = make_verbs(options.library);
    if (Status status = verbs->init(); !status) {
        return fail(status.message());
    }
    const auto devices = verbs->devices();
    if (!devices || devices->empty()) {
        return fail(devices ? "no RDMA device that libibverbs can use"
                            : devices.status().message());
    }
    say("rdma_probe",
        JsonValue::object()
            .set("version", YM_VERSION)
            .set("library", options.library)
            .set("devices", json_array_of(*devices)));
    if (options.list) {
        for (const std::string& name : *devices) {
            list_device(*verbs, name);
        }
        return 0;
    }
    measure(*verbs, options);
    return 0;
}

}  // namespace
}  // namespace yardmaster

int main(int argc, char** argv) {
    int exit_status = 0;
    const auto options = yardmaster::parse_probe_options(argc, argv, exit_status);
    if (!options) {
        return exit_status;
    }
    std::signal(SIGPIPE, SIG_IGN);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(options->settings.budget);
    alarm(static_cast<unsigned>(seconds.count()) + yardmaster::kLastGraceS);
    return yardmaster::run(*options);
}
