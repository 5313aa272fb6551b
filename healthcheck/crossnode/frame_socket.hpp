// Frames over a TCP connection that never blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.hpp"

namespace yardmaster {

/// A frame is four bytes with its length, the highest first, and the bytes. Whoever owns several
/// polls for `fd()`: for reading always, for writing while `has_output()`.
class FrameSocket {
  public:
    /// Takes a connected socket over, and makes it non-blocking. Frames that come may have at most
    /// `limit` bytes.
    FrameSocket(int fd, std::size_t limit);
    FrameSocket(FrameSocket&& other) noexcept;
    FrameSocket& operator=(FrameSocket&& other) noexcept;
    ~FrameSocket();

    int fd() const { return fd_; }
    void set_limit(std::size_t limit) { limit_ = limit; }
    bool has_output() const { return sent_ < output_.size(); }

    /// Puts a frame behind those that wait to be written, and writes what can be.
    Status send(std::string_view frame);
    /// Writes what can be. kUnreadable when the other side has gone.
    Status flush();
    /// The next frame; none when it is not whole yet. kUnreadable when the other side has gone,
    /// kMalformed for an empty or too long frame; after an error there is nothing more to come.
    Result<std::optional<std::string>> receive();

  private:
    /// Fills `input_` up to `size`; false when not all of it is there yet.
    Result<bool> fill(std::size_t size);

    int fd_;
    std::size_t limit_;
    std::string input_;
    std::string output_;
    std::size_t sent_ = 0;
};

}  // namespace yardmaster
