// The only place that loads libmunge.
#include "healthcheck/crossnode/seal.hpp"

#include <munge.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>

#include "healthcheck/loaded_library.hpp"

namespace yardmaster {
namespace {

struct MungeFunctions {
    decltype(&::munge_encode) encode = nullptr;
    decltype(&::munge_decode) decode = nullptr;
    decltype(&::munge_strerror) strerror = nullptr;
    decltype(&::munge_ctx_create) ctx_create = nullptr;
    decltype(&::munge_ctx_destroy) ctx_destroy = nullptr;
    decltype(&::munge_ctx_strerror) ctx_strerror = nullptr;
    decltype(&::munge_ctx_set) ctx_set = nullptr;

    Status find_in(const LoadedLibrary& library, const std::string& name) {
        std::string missing;
        const auto find = [&](const char* symbol, auto& function) {
            library.find(symbol, function);
            if (function == nullptr) {
                missing = symbol;
            }
        };
        find("munge_encode", encode);
        find("munge_decode", decode);
        find("munge_strerror", strerror);
        find("munge_ctx_create", ctx_create);
        find("munge_ctx_destroy", ctx_destroy);
        find("munge_ctx_strerror", ctx_strerror);
        find("munge_ctx_set", ctx_set);
        return missing.empty() ? Status::ok()
                               : Status(ErrorCode::kNotFound, name + " has no " + missing);
    }
};

struct FreeDeleter {
    void operator()(void* memory) const { std::free(memory); }
};

/// A context of libmunge, with munged's socket. Encoding and decoding need one each: decoding
/// leaves in it what the credential was made with.
class MungeContext {
  public:
    MungeContext(const MungeFunctions& munge, const std::string& socket)
        : munge_(munge), context_(munge.ctx_create()) {
        if (context_ != nullptr && !socket.empty()) {
            code_ = munge.ctx_set(context_, MUNGE_OPT_SOCKET, socket.c_str());
        }
    }
    MungeContext(const MungeContext&) = delete;
    MungeContext& operator=(const MungeContext&) = delete;
    ~MungeContext() {
        if (context_ != nullptr) {
            munge_.ctx_destroy(context_);
        }
    }

    munge_ctx_t get() const { return context_; }
    Status status(const char* what) const {
        if (context_ == nullptr) {
            return {ErrorCode::kUnavailable, "munge: out of memory"};
        }
        return error(code_, what);
    }
    /// OK for EMUNGE_SUCCESS.
    Status error(munge_err_t code, const char* what) const {
        if (code == EMUNGE_SUCCESS) {
            return Status::ok();
        }
        const char* detailed = munge_.ctx_strerror(context_);
        return {ErrorCode::kUnavailable,
                std::string("munge ") + what + ": " +
                    (detailed != nullptr ? detailed : munge_.strerror(code))};
    }

  private:
    const MungeFunctions& munge_;
    munge_ctx_t context_;
    munge_err_t code_ = EMUNGE_SUCCESS;
};

class MungeSeal final : public Seal {
  public:
    MungeSeal(const std::string& library, std::string socket)
        : name_(library), socket_(std::move(socket)), library_(library) {}

    Status load() {
        Status status = library_.load();
        return status ? munge_.find_in(library_, name_) : status;
    }

    Result<std::string> close(const std::string& text) override {
        constexpr const char* kWhat = "cannot make a credential";
        const MungeContext context(munge_, socket_);
        if (Status status = context.status(kWhat); !status) {
            return status;
        }
        // What root says to root is nobody else's to open, nor to use up.
        munge_err_t code = munge_.ctx_set(context.get(), MUNGE_OPT_UID_RESTRICTION, geteuid());
        char* credential = nullptr;
        if (code == EMUNGE_SUCCESS) {
            code =
                text.size() > std::numeric_limits<int>::max()
                    ? EMUNGE_BAD_LENGTH
                    : munge_.encode(
                          &credential, context.get(), text.data(), static_cast<int>(text.size()));
        }
        const std::unique_ptr<char, FreeDeleter> owned(credential);
        if (Status status = context.error(code, kWhat); !status) {
            return status;
        }
        return std::string(owned.get());
    }

    Result<std::string> open(const std::string& credential) override {
        constexpr const char* kWhat = "does not accept a credential";
        const MungeContext context(munge_, socket_);
        if (Status status = context.status(kWhat); !status) {
            return status;
        }
        void* payload = nullptr;
        int size = 0;
        uid_t uid = 0;
        const munge_err_t code =
            munge_.decode(credential.c_str(), context.get(), &payload, &size, &uid, nullptr);
        const std::unique_ptr<void, FreeDeleter> owned(payload);  // there on some errors, too
        if (Status status = context.error(code, kWhat); !status) {
            return status;
        }
        if (uid != geteuid()) {
            return Status(ErrorCode::kUnavailable,
                          "a credential is of uid " + std::to_string(uid) + ", must be of uid " +
                              std::to_string(geteuid()));
        }
        return payload != nullptr
                   ? std::string(static_cast<const char*>(payload), static_cast<std::size_t>(size))
                   : std::string();
    }

  private:
    std::string name_;
    std::string socket_;
    LoadedLibrary library_;
    MungeFunctions munge_;
};

}  // namespace

Result<std::unique_ptr<Seal>> make_munge_seal(const std::string& library,
                                              const std::string& socket) {
    auto seal = std::make_unique<MungeSeal>(library, socket);
    if (Status status = seal->load(); !status) {
        return status;
    }
    return std::unique_ptr<Seal>(std::move(seal));
}

}  // namespace yardmaster
