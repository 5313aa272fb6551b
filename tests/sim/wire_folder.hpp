// The folder through which simulated nodes, each in processes of its own, reach each other: for
// every queue pair NUMBER.json (whose it is), and for one that is written to NUMBER.data,
// NUMBER.notice and NUMBER.silent.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace yardmaster::sim {

/// A device of a simulated node.
struct WireEnd {
    std::string folder;  ///< of the node
    std::string device;
};

class WireFolder {
  public:
    /// "": there is none, and queue pairs only reach those of their own process.
    explicit WireFolder(std::string folder) : folder_(std::move(folder)) {}
    bool there() const { return !folder_.empty(); }

    /// A queue pair number that no process has; ends the program when the folder is not writable.
    std::uint32_t reserve(const WireEnd& owner) const;
    /// Removes all that is there of a queue pair.
    void release(std::uint32_t number) const;
    /// Whose it is; none when nobody's.
    std::optional<WireEnd> owner(std::uint32_t number) const;

    /// Sends bytes to an address of the owner's memory.
    void put(std::uint32_t number,
             std::uint64_t address,
             std::span<const unsigned char> bytes) const;
    /// All that was put, in order: (address, bytes).
    using Taker = std::function<void(std::uint64_t, std::span<const unsigned char>)>;
    void take(std::uint32_t number, const Taker& taker) const;

    /// A completion for the owner: all that it shall get has been put.
    void notify(std::uint32_t number) const { touch(number, "notice"); }
    /// Whether notify was called; true once only.
    bool take_notice(std::uint32_t number) const;
    /// Nothing will come any more, since the other end has given up.
    void give_up(std::uint32_t number) const { touch(number, "silent"); }
    bool given_up(std::uint32_t number) const;

  private:
    std::string file(std::uint32_t number, const char* what) const;
    void touch(std::uint32_t number, const char* what) const;

    std::string folder_;
};

}  // namespace yardmaster::sim
