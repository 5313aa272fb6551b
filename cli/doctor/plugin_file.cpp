#include "cli/doctor/plugin_file.hpp"

#include <elf.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

namespace yardmaster::cli::doctor {
namespace {

/// Access to an ELF64 file in this machine's byte order. Every offset is checked: the file may be
/// cut off or hostile.
class Elf {
  public:
    explicit Elf(std::string_view bytes) : bytes_(bytes) {}

    bool is_readable() {
        return read(0, header_) && std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0 &&
               header_.e_ident[EI_CLASS] == ELFCLASS64 && load_sections();
    }

    /// The bytes of the file from the beginning of symbol `name` to the end of its segment.
    std::optional<std::string_view> symbol(std::string_view name) const {
        for (const Elf64_Shdr& section : sections_) {
            if (section.sh_type == SHT_DYNSYM && section.sh_link < sections_.size()) {
                if (const auto address = address_of(name, section)) {
                    return at_address(*address);
                }
            }
        }
        return std::nullopt;
    }

  private:
    template <typename T>
    bool read(std::uint64_t offset, T& value) const {
        if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) {
            return false;
        }
        std::memcpy(&value, bytes_.data() + offset, sizeof(T));
        return true;
    }

    bool load_sections() {
        for (unsigned i = 0; i < header_.e_shnum; ++i) {
            Elf64_Shdr section{};
            if (!read(header_.e_shoff + i * sizeof(section), section)) {
                return false;
            }
            sections_.push_back(section);
        }
        return true;
    }

    std::string_view text_at(const Elf64_Shdr& strings, std::uint64_t offset) const {
        const std::uint64_t begin = strings.sh_offset + offset;
        if (offset >= strings.sh_size || begin >= bytes_.size()) {
            return "";
        }
        const std::string_view rest = bytes_.substr(begin);
        return rest.substr(0, rest.find('\0'));
    }

    std::optional<std::uint64_t> address_of(std::string_view name,
                                            const Elf64_Shdr& symbols) const {
        Elf64_Sym symbol{};
        for (std::uint64_t at = 0; at + sizeof(symbol) <= symbols.sh_size; at += sizeof(symbol)) {
            if (!read(symbols.sh_offset + at, symbol)) {
                return std::nullopt;
            }
            if (symbol.st_shndx != SHN_UNDEF &&
                text_at(sections_[symbols.sh_link], symbol.st_name) == name) {
                return symbol.st_value;
            }
        }
        return std::nullopt;
    }

    std::optional<std::string_view> at_address(std::uint64_t address) const {
        for (unsigned i = 0; i < header_.e_phnum; ++i) {
            Elf64_Phdr segment{};
            if (!read(header_.e_phoff + i * sizeof(segment), segment)) {
                return std::nullopt;
            }
            const std::uint64_t inside = address - segment.p_vaddr;
            if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
                inside < segment.p_filesz && segment.p_offset + inside < bytes_.size()) {
                return bytes_.substr(segment.p_offset + inside, segment.p_filesz - inside);
            }
        }
        return std::nullopt;
    }

    std::string_view bytes_;
    Elf64_Ehdr header_{};
    std::vector<Elf64_Shdr> sections_;
};

Status lacks(const std::string& file, const char* symbol) {
    return {ErrorCode::kMalformed, file + ": is no Slurm plugin: it has no symbol " + symbol};
}

std::string c_string(std::string_view bytes) {
    return std::string(bytes.substr(0, bytes.find('\0')));
}

}  // namespace

Result<PluginFile> parse_plugin(std::string_view content, const std::string& file) {
    Elf elf(content);
    if (!elf.is_readable()) {
        return Status(ErrorCode::kMalformed, file + ": is no ELF64 file, or a part of one");
    }
    PluginFile plugin;
    const auto name = elf.symbol("plugin_name");
    const auto type = elf.symbol("plugin_type");
    const auto version = elf.symbol("plugin_version");
    if (!name || !type) {
        return lacks(file, name ? "plugin_type" : "plugin_name");
    }
    if (!version || version->size() < sizeof(plugin.version)) {
        return lacks(file, "plugin_version");
    }
    std::memcpy(&plugin.version, version->data(), sizeof(plugin.version));
    plugin.name = c_string(*name);
    plugin.type = c_string(*type);
    return plugin;
}

std::string version_text(SlurmVersion version) {
    std::array<char, 32> text{};
    std::snprintf(text.data(),
                  text.size(),
                  "%u.%02u.%u",
                  version >> 16 & 0xff,
                  version >> 8 & 0xff,
                  version & 0xff);
    return text.data();
}

Result<SlurmVersion> parse_version(std::string_view text) {
    const std::string whole(text);
    const std::string last(text.substr(text.find_last_of(' ') + 1));
    unsigned major = 0;
    unsigned minor = 0;
    unsigned micro = 0;
    if (std::sscanf(last.c_str(), "%3u.%3u.%3u", &major, &minor, &micro) != 3 || major > 255 ||
        minor > 255 || micro > 255) {
        return Status(ErrorCode::kMalformed,
                      "\"" + whole.substr(0, 80) + "\" is no Slurm version such as 22.05.8");
    }
    return SlurmVersion{major << 16 | minor << 8 | micro};
}

}  // namespace yardmaster::cli::doctor
