// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan/BlockSizes.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <vector>

namespace kinetoscope::bench::plan {

namespace {

constexpr std::string_view kFunction = "tt.func public";

std::string_view firstWordAfter(std::string_view line, std::string_view mark) {
    const auto at = line.find(mark);
    if (at == std::string_view::npos) {
        return {};
    }
    auto rest = line.substr(at + mark.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest.substr(0, rest.find_first_of(" ,:\n"));
}

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && !text.empty() ? std::optional(value) : std::nullopt;
}

// "%xoffset", "%r0_offset_6": Inductor's product of a program id and a block size.
bool isOffset(std::string_view name) {
    constexpr std::array<std::string_view, 6> kOffsets{"%xoffset", "%yoffset",   "%zoffset",
                                                       "%roffset", "%r0_offset", "%r1_offset"};
    return std::any_of(kOffsets.begin(), kOffsets.end(),
                       [name](std::string_view offset) { return name.starts_with(offset); });
}

// Values of one function: which are constants, and which carry a program id.
class Function {
public:
    void line(std::string_view text) {
        const auto equals = text.find(" = ");
        const auto begin = text.find('%');
        if (equals == std::string_view::npos || begin == std::string_view::npos || begin > equals) {
            return;
        }
        const auto name = text.substr(begin, equals - begin);
        const auto operation = text.substr(equals + 3);
        if (operation.starts_with("arith.constant ")) {
            if (const auto value = number(firstWordAfter(operation, "arith.constant "))) {
                m_constants[name] = *value;
            }
        } else if (operation.starts_with("tt.get_program_id ")) {
            programId(name, firstWordAfter(operation, "tt.get_program_id "));
        } else if (operation.starts_with("tt.make_range ")) {
            range(name, firstWordAfter(operation, "end ="));
        } else if (operation.starts_with("arith.")) {
            arithmetic(name, operation);
        }
    }

    [[nodiscard]] const IrBlocks& blocks() const { return m_blocks; }

private:
    void programId(std::string_view name, std::string_view axis) {
        const auto index = axis.empty() ? 3U : static_cast<unsigned>(axis.front() - 'x');
        if (index < 3) {
            m_axis[name] = index;
            m_blocks.namesAxis[index] = name.size() > 1 && (name[1] < '0' || name[1] > '9');
        }
    }

    void range(std::string_view name, std::string_view end) {
        const bool reduction = name == "%r0_base" || name == "%rbase";
        if (reduction && !m_blocks.reductionRange) {
            m_blocks.reductionRange = number(end);
        }
    }

    [[nodiscard]] std::optional<unsigned> axisOf(std::string_view value) const {
        const auto found = m_axis.find(value);
        return found == m_axis.end() ? std::nullopt : std::optional(found->second);
    }

    void arithmetic(std::string_view name, std::string_view operation) {
        const auto left = firstWordAfter(operation, " ");
        const auto right = firstWordAfter(operation, ",");
        const auto a = axisOf(left);
        const auto b = axisOf(right);
        const auto divisor = m_constants.find(right);
        if (operation.starts_with("arith.divsi") && name.starts_with("%rsplit_chunk") &&
            divisor != m_constants.end()) {
            m_blocks.rsplit = divisor->second;
        } else if (operation.starts_with("arith.muli") && (a || b)) {
            multiply(name, a ? *a : *b, a ? right : left);
        } else if (a || b) {
            // Combined kernels share the blocks by a difference or a quotient.
            const bool shares =
                a && (operation.starts_with("arith.subi") || operation.starts_with("arith.divsi"));
            const bool carries = shares || operation.starts_with("arith.addi") ||
                                 operation.starts_with("arith.ext") ||
                                 operation.starts_with("arith.trunc");
            if (carries) {
                // y + z * blocks(y) is a longer y.
                m_axis[name] = a && b ? std::min(*a, *b) : a ? *a : *b;
            }
        }
    }

    void multiply(std::string_view name, unsigned axis, std::string_view factor) {
        const auto constant = m_constants.find(factor);
        if (constant == m_constants.end()) {
            m_axis[name] = axis;
        } else if (!m_blocks.perAxis[axis] && isOffset(name)) {
            m_blocks.perAxis[axis] = constant->second;
        }
    }

    IrBlocks m_blocks;
    std::unordered_map<std::string_view, std::int64_t> m_constants;
    std::unordered_map<std::string_view, unsigned> m_axis;
};

// "cabc….py" from the first location that names a file.
std::string firstSourceFile(std::string_view text) {
    constexpr std::string_view kLocation = "loc(\"";
    for (std::size_t at = 0; (at = text.find(kLocation, at)) != std::string_view::npos; ++at) {
        const auto path = text.substr(at + kLocation.size());
        const auto file = path.substr(0, path.find_first_of("\"\n"));
        if (file.ends_with(".py")) {
            const auto slash = file.rfind('/');
            return std::string(slash == std::string_view::npos ? file : file.substr(slash + 1));
        }
    }
    return {};
}

}  // namespace

IrBlocks readIrBlocks(std::string_view text) {
    Function function;
    bool inside = false;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = text.substr(at, end - at);
        at = end + 1;
        if (line.find("tt.func ") != std::string_view::npos) {
            if (inside) {
                break;
            }
            inside = line.find(kFunction) != std::string_view::npos;
        } else if (inside) {
            function.line(line);
        }
    }
    IrBlocks blocks = function.blocks();
    blocks.sourceFile = firstSourceFile(text);
    return blocks;
}

}  // namespace kinetoscope::bench::plan
