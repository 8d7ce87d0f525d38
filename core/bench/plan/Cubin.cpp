// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan/Cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/json/Json.h"

namespace kinetoscope::bench::plan {

namespace {

// ELF64: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
constexpr std::uint16_t kMachineCuda = 190;
constexpr std::uint32_t kNoBits = 8;
constexpr std::size_t kSectionHead = 64;
constexpr std::size_t kSymbol = 24;
constexpr std::string_view kInfo = ".nv.info.";

// Attributes of .nv.info sections.
constexpr std::uint8_t kRequiredThreads = 0x10;
constexpr std::uint8_t kParameterInfo = 0x17;
constexpr std::uint8_t kParameterBlock = 0x19;
constexpr std::uint8_t kRegisterCount = 0x2f;
// How an attribute's value is stored: inside the head, or so many bytes behind it.
constexpr std::uint8_t kSized = 0x04;

// A kernel has at most 4096 bytes of parameters before CUDA 12.1, 32764 since.
constexpr std::size_t kMaxParameters = 4096;

class Bytes {
public:
    explicit Bytes(std::string_view bytes) : m_bytes(bytes) {}

    template <class T>
    [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
        if (offset > m_bytes.size() || m_bytes.size() - offset < sizeof(T)) {
            return std::nullopt;
        }
        T value;
        std::memcpy(&value, m_bytes.data() + offset, sizeof(T));
        return value;
    }

    [[nodiscard]] std::optional<std::string_view> part(std::uint64_t offset,
                                                       std::uint64_t size) const {
        if (offset > m_bytes.size() || m_bytes.size() - offset < size) {
            return std::nullopt;
        }
        return m_bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
    }

private:
    std::string_view m_bytes;
};

std::string_view textAt(std::string_view table, std::uint64_t offset) {
    if (offset >= table.size()) {
        return {};
    }
    const auto rest = table.substr(static_cast<std::size_t>(offset));
    return rest.substr(0, rest.find('\0'));
}

struct Section {
    std::string_view name;
    std::string_view content;
};

Result<std::vector<Section>> readSections(const Bytes& bytes) {
    const auto table = bytes.at<std::uint64_t>(0x28);
    const auto count = bytes.at<std::uint16_t>(0x3c);
    const auto names = bytes.at<std::uint16_t>(0x3e);
    if (!table || !count || !names || *names >= *count ||
        !bytes.part(*table, *count * kSectionHead)) {
        return fail("the cubin is cut off: its section table is not inside the file");
    }
    const auto head = [&](std::uint64_t index) { return *table + index * kSectionHead; };
    const auto content = [&](std::uint64_t index) -> std::optional<std::string_view> {
        if (*bytes.at<std::uint32_t>(head(index) + 4) == kNoBits) {
            return std::string_view();
        }
        return bytes.part(*bytes.at<std::uint64_t>(head(index) + 0x18),
                          *bytes.at<std::uint64_t>(head(index) + 0x20));
    };
    const auto nameTable = content(*names);
    std::vector<Section> sections;
    for (std::uint64_t i = 0; i < *count; ++i) {
        const auto body = content(i);
        if (!body || !nameTable) {
            return fail("the cubin is cut off: a section is not inside the file");
        }
        sections.push_back({textAt(*nameTable, *bytes.at<std::uint32_t>(head(i))), *body});
    }
    return sections;
}

std::string_view sectionNamed(const std::vector<Section>& sections, std::string_view name) {
    for (const Section& section : sections) {
        if (section.name == name) {
            return section.content;
        }
    }
    return {};
}

// Calls take(attribute, value) for each attribute of an .nv.info section.
template <class Take>
bool eachAttribute(std::string_view section, Take take) {
    const Bytes bytes(section);
    std::uint64_t at = 0;
    while (at < section.size()) {
        const auto format = bytes.at<std::uint8_t>(at);
        const auto attribute = bytes.at<std::uint8_t>(at + 1);
        const auto value = bytes.at<std::uint16_t>(at + 2);
        if (!format || !attribute || !value) {
            return false;
        }
        const auto payload =
            bytes.part(*format == kSized ? at + 4 : at + 2, *format == kSized ? *value : 2);
        if (!payload) {
            return false;
        }
        take(*attribute, *payload);
        at += 4 + (*format == kSized ? *value : 0U);
    }
    return true;
}

// Payload: index, then ordinal and offset of 16 bits, then a word with the size from bit 18 on.
void addParameter(std::map<std::uint16_t, CubinParameter>& found, std::string_view payload) {
    const Bytes bytes(payload);
    const auto ordinal = bytes.at<std::uint16_t>(4);
    const auto offset = bytes.at<std::uint16_t>(6);
    const auto word = bytes.at<std::uint32_t>(8);
    if (ordinal && offset && word) {
        found[*ordinal] = {*offset, *word >> 18U};
    }
}

std::uint32_t threadsOf(std::string_view payload) {
    const Bytes bytes(payload);
    std::uint64_t threads = 1;
    for (std::uint64_t axis = 0; axis < 3; ++axis) {
        threads *= std::min<std::uint32_t>(bytes.at<std::uint32_t>(axis * 4).value_or(1), 65536);
    }
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, UINT32_MAX));
}

Result<CubinKernel> readKernel(const Section& section) {
    CubinKernel kernel;
    kernel.name = section.name.substr(kInfo.size());
    std::map<std::uint16_t, CubinParameter> found;
    const bool whole =
        eachAttribute(section.content, [&](std::uint8_t attribute, std::string_view payload) {
            if (attribute == kParameterInfo) {
                addParameter(found, payload);
            } else if (attribute == kParameterBlock) {
                kernel.parameterBytes = Bytes(payload).at<std::uint16_t>(0).value_or(0);
            } else if (attribute == kRequiredThreads) {
                kernel.requiredThreads = threadsOf(payload);
            }
        });
    const bool gaps = !found.empty() && found.rbegin()->first + 1U != found.size();
    if (!whole || gaps || found.size() > kMaxParameters) {
        return fail(fmt::format("the cubin's record of {} is damaged",
                                json::safeJson(json::quotedJson(kernel.name))));
    }
    for (const auto& [ordinal, parameter] : found) {
        kernel.parameters.push_back(parameter);
    }
    return kernel;
}

// The section for the whole file names kernels by their index in the symbol table.
void addRegisters(Cubin& cubin, const std::vector<Section>& sections) {
    const Bytes symbols(sectionNamed(sections, ".symtab"));
    const auto names = sectionNamed(sections, ".strtab");
    const auto take = [&](std::uint8_t attribute, std::string_view payload) {
        const Bytes value(payload);
        const auto symbol = value.at<std::uint32_t>(0);
        const auto count = value.at<std::uint32_t>(4);
        if (attribute != kRegisterCount || !symbol || !count) {
            return;
        }
        const auto name = symbols.at<std::uint32_t>(*symbol * kSymbol);
        for (CubinKernel& kernel : cubin.kernels) {
            if (name && kernel.name == textAt(names, *name)) {
                kernel.registers = *count;
            }
        }
    };
    // A damaged section only leaves the figure out: the driver knows it as well.
    (void)eachAttribute(sectionNamed(sections, ".nv.info"), take);
}

}  // namespace

Result<Cubin> readCubin(std::string_view data) {
    const Bytes bytes(data);
    const auto machine = bytes.at<std::uint16_t>(0x12);
    if (!data.starts_with("\x7f"
                          "ELF\x02\x01") ||
        machine != kMachineCuda) {
        return fail("the file is not a cubin (64-bit ELF for NVIDIA GPUs)");
    }
    const auto sections = readSections(bytes);
    if (!sections) {
        return tl::unexpected(sections.error());
    }
    Cubin cubin;
    // Since ABI version 8 the architecture stands one byte higher in the flags.
    const auto flags = bytes.at<std::uint32_t>(0x30).value_or(0);
    const auto abi = bytes.at<std::uint8_t>(8).value_or(0);
    cubin.architecture = abi >= 8 ? (flags >> 8U) & 0xffU : flags & 0xffU;
    for (const Section& section : *sections) {
        if (!section.name.starts_with(kInfo)) {
            continue;
        }
        auto kernel = readKernel(section);
        if (!kernel) {
            return tl::unexpected(kernel.error());
        }
        cubin.kernels.push_back(std::move(*kernel));
    }
    addRegisters(cubin, *sections);
    return cubin;
}

}  // namespace kinetoscope::bench::plan
