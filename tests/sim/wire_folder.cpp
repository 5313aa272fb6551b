#include "tests/sim/wire_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "base/json_value.hpp"
#include "healthcheck/json_fields.hpp"

namespace yardmaster::sim {
namespace {

constexpr std::uint32_t kFirstNumber = 0x100;
constexpr std::uint32_t kLastNumber = 0xffffff;  // 24 bits

/// In front of each piece of NUMBER.data.
struct Piece {
    std::uint64_t address;
    std::uint64_t bytes;
};

}  // namespace

std::string WireFolder::file(std::uint32_t number, const char* what) const {
    return folder_ + "/" + std::to_string(number) + "." + what;
}

std::uint32_t WireFolder::reserve(const WireEnd& owner) const {
    const std::string text =
        JsonValue::object().set("folder", owner.folder).set("device", owner.device).dump_exact();
    std::random_device random;
    while (true) {
        const auto number = std::uniform_int_distribution(kFirstNumber, kLastNumber)(random);
        const std::string name = file(number, "json");
        const int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 && errno == EEXIST) {
            continue;
        }
        if (fd < 0 || write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
            std::fprintf(stderr, "fake libibverbs: %s: %s\n", name.c_str(), std::strerror(errno));
            std::abort();
        }
        close(fd);
        return number;
    }
}

void WireFolder::release(std::uint32_t number) const {
    for (const char* what : {"json", "data", "notice", "silent"}) {
        unlink(file(number, what).c_str());
    }
}

std::optional<WireEnd> WireFolder::owner(std::uint32_t number) const {
    const auto document = JsonDocument::load(file(number, "json"));
    if (!document) {
        return std::nullopt;
    }
    WireEnd owner;
    JsonFields fields(document->root());
    fields.string("folder", owner.folder);
    fields.string("device", owner.device);
    return fields.status() ? std::optional(owner) : std::nullopt;
}

void WireFolder::put(std::uint32_t number,
                     std::uint64_t address,
                     std::span<const unsigned char> bytes) const {
    const Piece piece{address, bytes.size()};
    std::ofstream out(file(number, "data"), std::ios::binary | std::ios::app);
    out.write(reinterpret_cast<const char*>(&piece), sizeof piece);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
}

void WireFolder::take(std::uint32_t number, const Taker& taker) const {
    std::ifstream in(file(number, "data"), std::ios::binary);
    std::vector<unsigned char> bytes;
    Piece piece{};
    while (in.read(reinterpret_cast<char*>(&piece), sizeof piece)) {
        bytes.resize(piece.bytes);
        in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(piece.bytes));
        taker(piece.address, bytes);
    }
}

bool WireFolder::take_notice(std::uint32_t number) const {
    return unlink(file(number, "notice").c_str()) == 0;
}

bool WireFolder::given_up(std::uint32_t number) const {
    return access(file(number, "silent").c_str(), F_OK) == 0;
}

void WireFolder::touch(std::uint32_t number, const char* what) const {
    std::ofstream(file(number, what));
}

}  // namespace yardmaster::sim
