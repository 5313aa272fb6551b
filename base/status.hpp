// Errors as values: every fallible function of the project returns a Status or a Result<T>.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace yardmaster {

/// The closed set of error kinds. Callers branch on these; people read the message.
enum class ErrorCode {
    kOk,
    kInvalidArgument,  ///< the caller (a user, a command line) asked for something malformed
    kMalformed,        ///< a file or reading exists but does not have the documented form
    kUnsupported,      ///< well-formed, but of a version or kind this build does not know
    kNotFound,         ///< a file, node, job or device that is not there
    kUnreadable,       ///< it exists, but the operating system would not let us read or write it
    kInfeasible,       ///< can never be satisfied on this fabric
    kUnavailable,      ///< cannot be satisfied now; may be later
    kTimeout,          ///< the time budget ran out
    kInternal,         ///< a defect of ours
};

/// Stable lower-case word for `code`, as used in logs and JSON ("ok", "malformed", ...).
std::string_view to_string(ErrorCode code);

/// Success, or an error code with a message that names the object, the value seen, the limit and
/// what to do about it.
class [[nodiscard]] Status {
  public:
    Status() = default;
    Status(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

    static Status ok() { return {}; }
    bool is_ok() const { return code_ == ErrorCode::kOk; }
    explicit operator bool() const { return is_ok(); }
    ErrorCode code() const { return code_; }
    const std::string& message() const { return message_; }

    /// The same error with `prefix` (a place: file, object, path) put before its message.
    Status with_context(std::string_view prefix) const;

  private:
    ErrorCode code_ = ErrorCode::kOk;
    std::string message_;
};

/// A value, or the Status that says why there is none. Reading the value of an error asserts.
template <typename T>
class [[nodiscard]] Result {
  public:
    Result(T value) : held_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
    Result(Status error) : held_(std::move(error)) {  // NOLINT(google-explicit-constructor)
        assert(!std::get<Status>(held_).is_ok());
    }
    Result(ErrorCode code, std::string message) : held_(Status(code, std::move(message))) {}

    bool is_ok() const { return std::holds_alternative<T>(held_); }
    explicit operator bool() const { return is_ok(); }
    const T& value() const& { return std::get<T>(held_); }
    T& value() & { return std::get<T>(held_); }
    T&& value() && { return std::get<T>(std::move(held_)); }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }
    /// The error; Status::ok() when there is a value.
    Status status() const { return is_ok() ? Status() : std::get<Status>(held_); }

  private:
    std::variant<T, Status> held_;
};

}  // namespace yardmaster
