// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/GetArgs.h"

#include <fmt/format.h>

#include <ranges>

#include "core/metrics/PyParser.h"
#include "core/text/Printable.h"

namespace kinetoscope::metrics {

namespace {

constexpr std::string_view kTorch = "torch.";

bool blockEnds(const PyToken& token) {
    return token.kind == PyToken::Kind::End || token.column == 0;
}

std::optional<std::vector<std::int64_t>> integers(const PyValue& value) {
    if (const auto single = value.asInt()) {
        return std::vector{*single};
    }
    if (!value.isSequence()) {
        return std::nullopt;
    }
    std::vector<std::int64_t> result;
    for (const PyValue& item : value.items) {
        const auto number = item.asInt();
        if (!number || *number < 0) {
            return std::nullopt;
        }
        result.push_back(*number);
    }
    return result;
}

std::vector<std::int64_t> contiguous(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) {
        // An overflow shows when the size of the tensor is checked.
        if (__builtin_mul_overflow(strides[i], shape[i], &strides[i - 1])) {
            strides[i - 1] = INT64_MAX;
        }
    }
    return strides;
}

Result<KernelArgument> tensorArgument(std::string name, const PyValue& call) {
    KernelArgument argument;
    argument.name = std::move(name);
    argument.tensor = true;
    argument.zeroed = call.text == "torch.zeros";
    const bool strided = call.text == "rand_strided" || call.text == "torch.empty_strided";
    const auto shape = call.items.empty() ? std::nullopt : integers(call.items[0]);
    const PyValue* dtype = call.find("dtype");
    const std::string* dtypeName = dtype != nullptr ? &dtype->text : nullptr;
    if (!shape || dtypeName == nullptr || !dtypeName->starts_with(kTorch)) {
        return fail(fmt::format("{} of get_args is not a tensor with a known shape and type",
                                argument.name));
    }
    argument.shape = *shape;
    argument.dtype = dtypeName->substr(kTorch.size());
    const auto strides = strided && call.items.size() > 1 ? integers(call.items[1]) : std::nullopt;
    argument.strides = strides ? *strides : contiguous(*shape);
    if ((strided && !strides) || argument.strides.size() != argument.shape.size()) {
        return fail(fmt::format("{} of get_args has no readable strides", argument.name));
    }
    return argument;
}

Result<KernelArgument> argumentOf(std::string name, PyValue value) {
    if (value.kind == PyValue::Kind::Call) {
        const bool known = value.text == "rand_strided" || value.text == "torch.zeros" ||
                           value.text == "torch.empty" || value.text == "torch.empty_strided";
        if (!known) {
            return fail(fmt::format("get_args calls {}, which is not understood", value.text));
        }
        return tensorArgument(std::move(name), value);
    }
    KernelArgument argument;
    argument.name = std::move(name);
    argument.value = std::move(value);
    return argument;
}

// Statements of get_args, one after the other.
class BodyReader {
public:
    BodyReader(std::string_view text, std::span<const PyToken> tokens, std::size_t at)
        : m_parser(text, tokens, at) {}

    [[nodiscard]] Result<std::vector<KernelArgument>> run() {
        while (!blockEnds(m_parser.peek())) {
            if (m_parser.peek().kind == PyToken::Kind::NewLine) {
                m_parser.skip();
                continue;
            }
            if (m_parser.peek().isName("return")) {
                m_parser.skip();
                return result();
            }
            if (m_parser.peek().isName("from") || m_parser.peek().isName("import")) {
                skipLine();
            } else if (const auto done = assignment(); !done) {
                return tl::unexpected(done.error());
            }
        }
        return fail("get_args returns nothing");
    }

private:
    void skipLine() {
        while (m_parser.peek().kind != PyToken::Kind::NewLine &&
               m_parser.peek().kind != PyToken::Kind::End) {
            m_parser.skip();
        }
    }

    [[nodiscard]] Result<void> assignment() {
        std::string name(m_parser.peek().text);
        const bool assigns =
            m_parser.peek().kind == PyToken::Kind::Name && m_parser.peek(1).is("=");
        if (!assigns) {
            return fail(fmt::format("get_args does something else than naming arguments: {}",
                                    text::printable(name)));
        }
        m_parser.skip();
        m_parser.skip();
        auto value = m_parser.expression();
        if (!value) {
            return fail("get_args: " + value.error().message);
        }
        auto argument = argumentOf(std::move(name), std::move(*value));
        if (!argument) {
            return tl::unexpected(argument.error());
        }
        m_named.push_back(std::move(*argument));
        return {};
    }

    [[nodiscard]] Result<std::vector<KernelArgument>> result() {
        auto value = m_parser.expressionList();
        if (!value) {
            return fail("get_args: " + value.error().message);
        }
        std::vector<PyValue> returned;
        if (value->isSequence()) {
            returned = std::move(value->items);
        } else {
            returned.push_back(std::move(*value));
        }
        std::vector<KernelArgument> arguments;
        for (PyValue& item : returned) {
            auto argument = resolve(std::move(item));
            if (!argument) {
                return tl::unexpected(argument.error());
            }
            arguments.push_back(std::move(*argument));
        }
        return arguments;
    }

    [[nodiscard]] Result<KernelArgument> resolve(PyValue item) const {
        if (item.kind != PyValue::Kind::Name) {
            return argumentOf({}, std::move(item));
        }
        for (const KernelArgument& named : std::views::reverse(m_named)) {
            if (named.name == item.text) {
                return named;
            }
        }
        return fail(fmt::format("get_args returns {}, which it never set", item.text));
    }

    PyParser m_parser;
    std::vector<KernelArgument> m_named;
};

// The token after the ":" that ends the head of the function at `def`.
std::size_t bodyToken(std::span<const PyToken> tokens, std::size_t def) {
    std::size_t at = def;
    while (at < tokens.size() && tokens[at].kind != PyToken::Kind::NewLine &&
           tokens[at].kind != PyToken::Kind::End) {
        ++at;
    }
    return at < tokens.size() && tokens[at].kind == PyToken::Kind::NewLine ? at + 1 : at;
}

}  // namespace

Result<std::vector<KernelArgument>> readGetArgs(std::string_view text,
                                                std::span<const PyToken> tokens, std::size_t def) {
    return BodyReader(text, tokens, bodyToken(tokens, def)).run();
}

std::optional<PyValue> readRunCall(std::string_view text, std::span<const PyToken> tokens,
                                   std::size_t def) {
    for (std::size_t i = bodyToken(tokens, def); i + 3 < tokens.size() && !blockEnds(tokens[i]);
         ++i) {
        if (tokens[i].kind == PyToken::Kind::Name && tokens[i + 1].is(".") &&
            tokens[i + 2].isName("run") && tokens[i + 3].is("(")) {
            auto call = PyParser(text, tokens, i).expression();
            return call ? std::optional(std::move(*call)) : std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace kinetoscope::metrics
