#include "cli/doctor/munge.hpp"

#include <dlfcn.h>

#include <chrono>
#include <cstdlib>

#include "healthcheck/budget/collect.hpp"

namespace yardmaster::cli::doctor {
namespace {

/// libmunge tries to reach a munged that does not listen for about 2 s.
constexpr std::chrono::seconds kLimit{10};

// As in munge.h of MUNGE 0.5, whose interface has been the same since 2004.
constexpr int kSocketOption = 8;  // MUNGE_OPT_SOCKET
using Context = void*;
using CreateFn = Context (*)();                               // munge_ctx_create
using SetFn = int (*)(Context, int, ...);                     // munge_ctx_set
using EncodeFn = int (*)(char**, Context, const void*, int);  // munge_encode
using DecodeFn = int (*)(const char*, Context, void**, int*, unsigned*, unsigned*);  // munge_decode
using ContextErrorFn = const char* (*)(Context);  // munge_ctx_strerror
using ErrorFn = const char* (*)(int);             // munge_strerror

template <typename Function>
bool find(void* library, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    return function != nullptr;
}

struct Munge {
    CreateFn create = nullptr;
    SetFn set = nullptr;
    EncodeFn encode = nullptr;
    DecodeFn decode = nullptr;
    ContextErrorFn context_error = nullptr;
    ErrorFn error = nullptr;

    bool load(void* library) {
        return find(library, "munge_ctx_create", create) && find(library, "munge_ctx_set", set) &&
               find(library, "munge_encode", encode) && find(library, "munge_decode", decode) &&
               find(library, "munge_ctx_strerror", context_error) &&
               find(library, "munge_strerror", error);
    }

    std::string why(int code, Context context) const {
        const char* detailed = context_error(context);
        return detailed != nullptr ? detailed : error(code);
    }
};

/// "" or what went wrong. Runs in a child that ends right after, so nothing is given back.
std::string round_trip(const std::string& socket) {
    void* library = dlopen("libmunge.so.2", RTLD_NOW | RTLD_LOCAL);
    Munge munge;
    if (library == nullptr || !munge.load(library)) {
        const char* why = dlerror();
        return std::string("no libmunge: ") + (why != nullptr ? why : "it lacks a function");
    }
    Context context = munge.create();
    if (!socket.empty()) {
        munge.set(context, kSocketOption, socket.c_str());
    }
    char* credential = nullptr;
    if (const int code = munge.encode(&credential, context, nullptr, 0); code != 0) {
        return "cannot make a credential: " + munge.why(code, context);
    }
    const int code = munge.decode(credential, context, nullptr, nullptr, nullptr, nullptr);
    return code == 0 ? "" : "cannot read its own credential: " + munge.why(code, context);
}

}  // namespace

Status munge_round_trip(const std::string& socket) {
    const auto lines =
        run_task({"munged's answer", [&](int fd) { write_line(fd, round_trip(socket)); }},
                 Clock::now() + kLimit);
    if (!lines) {
        return lines.status();
    }
    if (lines->empty()) {
        return {ErrorCode::kInternal, "libmunge ended its process"};
    }
    const std::string& error = lines->front();
    return error.empty() ? Status::ok()
                         : Status(error.starts_with("no libmunge") ? ErrorCode::kNotFound
                                                                   : ErrorCode::kUnavailable,
                                  error);
}

}  // namespace yardmaster::cli::doctor
