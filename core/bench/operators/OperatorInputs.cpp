// SPDX-License-Identifier: Apache-2.0
#include "core/bench/operators/OperatorInputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace kinetoscope::bench::operators {

namespace {

constexpr std::string_view kOperatorPrefix = "Operator: ";

// Overloads that were renamed since inputs were first recorded.
std::string currentName(std::string_view name) {
    return name == "aten.sum.SymInt" ? "aten.sum.dim_IntList" : std::string(name);
}

// Where `name` stops being "module.operator.overload"; npos for a good one.
std::size_t badCharacter(std::string_view name) {
    std::size_t dots = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        const bool dot = c == '.' && i > 0 && name[i - 1] != '.';
        dots += dot ? 1 : 0;
        if (!word && !dot) {
            return i;
        }
    }
    return dots >= 1 && name.back() != '.' ? std::string_view::npos : name.size();
}

std::int64_t addCounts(std::int64_t a, std::int64_t b) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    return a > kMost - b ? kMost : a + b;
}

class Reader {
public:
    explicit Reader(bool merge) : m_merge(merge) {}

    OperatorInputs read(std::string_view text) {
        std::size_t number = 0;
        while (!text.empty()) {
            const std::size_t stop = text.find('\n');
            std::string_view line = text.substr(0, stop);
            text.remove_prefix(stop == std::string_view::npos ? text.size() : stop + 1);
            while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
                line.remove_suffix(1);
            }
            take(line, ++number);
        }
        return std::move(m_inputs);
    }

private:
    void take(std::string_view line, std::size_t number) {
        if (line.empty()) {
            return;
        }
        if (line.starts_with(kOperatorPrefix)) {
            takeOperator(line, number);
        } else if (!line.starts_with("cnt:")) {
            problem(number, 1, "a line starts with 'Operator: ' or 'cnt:'");
        } else if (!m_known) {
            problem(number, 1, "this call belongs to no operator");
        } else {
            takeCall(line, number);
        }
    }

    void takeOperator(std::string_view line, std::size_t number) {
        const std::string name = currentName(line.substr(kOperatorPrefix.size()));
        const std::size_t bad = badCharacter(name);
        m_known = bad == std::string::npos;
        if (!m_known) {
            problem(number, kOperatorPrefix.size() + bad + 1,
                    "an operator has a name such as aten.add.Tensor");
            return;
        }
        const auto [found, added] = m_operators.try_emplace(name, m_inputs.operators.size());
        m_current = found->second;
        if (added) {
            m_inputs.operators.push_back({name, {}});
            m_calls.emplace_back();
        }
    }

    void takeCall(std::string_view line, std::size_t number) {
        CallOrProblem parsed = parseCountLine(line, number);
        if (parsed.problem) {
            m_inputs.problems.push_back(std::move(*parsed.problem));
            return;
        }
        auto& calls = m_inputs.operators[m_current].calls;
        const auto [found, added] =
            m_calls[m_current].try_emplace(formatCall(parsed.call), calls.size());
        if (added || !m_merge) {
            calls.push_back(std::move(parsed.call));
        } else {
            std::int64_t& count = calls[found->second].count;
            count = addCounts(count, parsed.call.count);
        }
    }

    void problem(std::size_t line, std::size_t column, std::string message) {
        m_inputs.problems.push_back({line, column, std::move(message)});
    }

    bool m_merge;
    OperatorInputs m_inputs;
    std::unordered_map<std::string, std::size_t> m_operators;
    std::vector<std::unordered_map<std::string, std::size_t>> m_calls;  // by operator
    std::size_t m_current = 0;
    bool m_known = false;
};

}  // namespace

std::int64_t OperatorEntry::count() const {
    std::int64_t sum = 0;
    for (const OperatorCall& call : calls) {
        sum = addCounts(sum, call.count);
    }
    return sum;
}

const OperatorEntry* OperatorInputs::find(std::string_view name) const {
    const auto found = std::find_if(operators.begin(), operators.end(),
                                    [&](const OperatorEntry& entry) { return entry.name == name; });
    return found == operators.end() ? nullptr : &*found;
}

OperatorInputs readOperatorInputs(std::string_view text, bool merge) {
    return Reader(merge).read(text);
}

std::string formatOperator(const OperatorEntry& entry) {
    std::string text = fmt::format("{}{}\n", kOperatorPrefix, entry.name);
    for (const OperatorCall& call : entry.calls) {
        text += fmt::format("cnt: {}, {}\n", call.count, formatCall(call));
    }
    return text;
}

OperatorEntry selectCalls(const OperatorEntry& entry, std::size_t first, std::size_t most) {
    OperatorEntry selected{entry.name, {}};
    const std::size_t stop = first + std::min(most, entry.calls.size());
    for (std::size_t i = first; i < std::min(stop, entry.calls.size()); ++i) {
        selected.calls.push_back(entry.calls[i]);
    }
    return selected;
}

}  // namespace kinetoscope::bench::operators
