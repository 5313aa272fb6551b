// yardmaster-prolog: Slurm's Prolog= on every node.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "prolog/log.hpp"
#include "prolog/passive.hpp"
#include "prolog/prolog.hpp"

namespace {

constexpr const char* kHelp =
    "usage: yardmaster-prolog [--passive | --help | --version]\n"
    "\n"
    "Checks the GPUs, NVLinks and rails that the job of this prolog is about to use. Set it as\n"
    "Prolog= in slurm.conf, with PrologFlags=Alloc,DeferBatch. It takes its input from slurmd's\n"
    "environment and reads fabric.json and yardmaster.json from the folder of slurm.conf.\n"
    "\n"
    "--passive checks all GPUs and rails of the node instead, for HealthCheckProgram= and Epilog=\n"
    "(use the script yardmaster-healthcheck: slurmd passes no arguments). Its status is always 0.\n"
    "\n"
    "Exit status: 0 the job may start, or could not be requeued and is cancelled already;\n"
    "1 the node is degraded and drained, the job goes elsewhere.\n";

}  // namespace

int main(int argc, char** argv) {
    const std::string_view option = argc > 1 ? argv[1] : "";
    if (option == "--help") {
        std::fputs(kHelp, stdout);
        return 0;
    }
    if (option == "--version") {
        std::puts("yardmaster-prolog " YM_VERSION);
        return 0;
    }
    // slurmd may pass arguments that are not ours (Prolog= can hold some): they are ignored. An
    // exception would end in a signal, and slurmd would drain a node for it.
    std::signal(SIGPIPE, SIG_IGN);  // nor must a log that nobody reads end the prolog
    try {
        const auto environment = [](const char* name) { return std::getenv(name); };
        return option == "--passive" ? yardmaster::run_passive(environment)
                                     : yardmaster::run_prolog(environment);
    } catch (...) {
        yardmaster::log_line(yardmaster::LogLevel::kError, "internal error, job starts");
        return yardmaster::kExitStart;
    }
}
