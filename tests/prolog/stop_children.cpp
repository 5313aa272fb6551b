// Preloaded into the prolog by tests: stops its children the moment they are forked, as if each
// hung for ever. YM_STOP_CHILDREN_FROM says from which one on, counted from 0.
#include <dlfcn.h>
#include <sys/types.h>

#include <csignal>
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) pid_t fork() {
    using Fork = pid_t (*)();
    static const Fork real = reinterpret_cast<Fork>(dlsym(RTLD_NEXT, "fork"));
    static const char* const first = std::getenv("YM_STOP_CHILDREN_FROM");
    static long forked = 0;
    const bool stop = first != nullptr && forked++ >= std::strtol(first, nullptr, 10);
    const pid_t pid = real();
    if (pid == 0 && stop) {
        raise(SIGSTOP);
    }
    return pid;
}
