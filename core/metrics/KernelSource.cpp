// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/KernelSource.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/metrics/GetArgs.h"
#include "core/metrics/PyParser.h"

namespace kinetoscope::metrics {

namespace {

constexpr std::string_view kDecorator = "triton_heuristics";
constexpr std::array<std::string_view, 6> kCategories{
    "foreach", "persistent_reduction", "pointwise", "reduction", "split_scan", "template"};

std::string stem(std::string_view path) {
    if (const auto slash = path.rfind('/'); slash != std::string_view::npos) {
        path.remove_prefix(slash + 1);
    }
    if (path.ends_with(".py")) {
        path.remove_suffix(3);
    }
    return std::string(path);
}

using Tokens = std::vector<PyToken>;

// The token "@" of the decorator at the start of a line, at or after `from`.
std::optional<std::size_t> findDecorator(const Tokens& tokens, std::size_t from = 0) {
    for (std::size_t i = from; i + 3 < tokens.size(); ++i) {
        if (tokens[i].is("@") && tokens[i].column == 0 && tokens[i + 1].isName(kDecorator) &&
            tokens[i + 2].is(".") && tokens[i + 3].kind == PyToken::Kind::Name) {
            return i;
        }
    }
    return std::nullopt;
}

std::size_t countDecorators(const Tokens& tokens) {
    std::size_t count = 0;
    for (auto at = findDecorator(tokens); at; at = findDecorator(tokens, *at + 1)) {
        ++count;
    }
    return count;
}

// "def" at the start of a line, at or after `from`.
std::optional<std::size_t> findDef(const Tokens& tokens, std::size_t from, std::string_view name) {
    for (std::size_t i = from; i + 1 < tokens.size(); ++i) {
        if (tokens[i].isName("def") && tokens[i].column == 0 &&
            (name.empty() || tokens[i + 1].isName(name))) {
            return i;
        }
    }
    return std::nullopt;
}

// End offset of the block that begins at `from`: before the next line that starts at column 0,
// blank lines at its end left out.
std::size_t blockEnd(std::string_view text, std::size_t from) {
    std::size_t end = text.find('\n', from);
    std::size_t last = std::min(end, text.size());
    while (end < text.size()) {
        const std::size_t line = end + 1;
        end = std::min(text.find('\n', line), text.size());
        const auto content = text.substr(line, end - line);
        if (content.find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        if (content.front() != ' ' && content.front() != '\t') {
            break;
        }
        last = end;
    }
    return std::min(last + 1, text.size());
}

// Parameters from the token after "(" on.
std::vector<KernelParameter> readParameters(const Tokens& tokens, std::size_t at) {
    std::vector<KernelParameter> parameters;
    int depth = 0;
    bool expectName = true;
    for (; at < tokens.size() && !(depth == 0 && tokens[at].is(")")); ++at) {
        const PyToken& token = tokens[at];
        if (token.is("(") || token.is("[") || token.is("{")) {
            ++depth;
        } else if (token.is(")") || token.is("]") || token.is("}")) {
            --depth;
        } else if (depth == 0 && token.is(",")) {
            expectName = true;
        } else if (depth == 0 && expectName && token.kind == PyToken::Kind::Name) {
            parameters.push_back({std::string(token.text), false});
            expectName = false;
        } else if (token.isName("constexpr") && !parameters.empty()) {
            parameters.back().constexprMarked = true;
        }
    }
    return parameters;
}

const PyValue* metaOf(const PyValue& decorator, std::string_view meta, std::string_view key) {
    const PyValue* dict = decorator.find(meta);
    return dict != nullptr ? dict->find(key) : nullptr;
}

Result<void> readFunction(KernelSource& source, const Tokens& tokens) {
    const std::string_view text = *source.text;
    const auto at = findDecorator(tokens);
    if (!at) {
        return fail("no triton_heuristics decorator");
    }
    PyParser parser(text, tokens, *at + 1);
    auto decorator = parser.expression();
    if (!decorator || decorator->kind != PyValue::Kind::Call) {
        return fail("the decorator cannot be read" +
                    (decorator ? std::string() : ": " + decorator.error().message));
    }
    source.heuristic = decorator->text.substr(kDecorator.size() + 1);
    source.decorator = std::move(*decorator);
    const auto def = findDef(tokens, parser.at(), {});
    if (!def || !tokens[std::min(*def + 2, tokens.size() - 1)].is("(")) {
        return fail("no function follows the decorator");
    }
    source.name = tokens[*def + 1].text;
    source.parameters = readParameters(tokens, *def + 3);
    const std::size_t begin = tokens[*at].offset;
    const std::size_t end = blockEnd(text, tokens[*def].offset);
    source.functionText = text.substr(begin, end - begin);
    source.bodyStart = tokens[*def].offset - begin;
    return {};
}

}  // namespace

const PyValue* KernelSource::inductorMeta(std::string_view wanted) const {
    return metaOf(decorator, "inductor_meta", wanted);
}

const PyValue* KernelSource::tritonMeta(std::string_view wanted) const {
    return metaOf(decorator, "triton_meta", wanted);
}

std::string kernelCategory(std::string_view sourceText) {
    std::string_view found;
    int count = 0;
    for (const std::string_view category : kCategories) {
        if (sourceText.find(fmt::format("@triton_heuristics.{}", category)) !=
            std::string_view::npos) {
            found = category;
            ++count;
        }
    }
    return count == 1 ? std::string(found) : "unknown";
}

bool looksLikeKernelSource(std::string_view text) {
    return text.find("\n@triton_heuristics.") != std::string_view::npos &&
           text.find("async_compile.triton(") == std::string_view::npos;
}

Result<KernelSource> parseKernelSource(std::string text, std::string path) {
    KernelSource source;
    source.text = std::make_shared<const std::string>(std::move(text));
    source.key = stem(path);
    source.path = std::move(path);
    const auto tokens = pyTokens(*source.text);
    if (!tokens) {
        return tl::unexpected(tokens.error());
    }
    if (const auto done = readFunction(source, *tokens); !done) {
        return tl::unexpected(done.error());
    }
    source.category = kernelCategory(*source.text);
    source.kernelsInFile = countDecorators(*tokens);
    const auto getArgs = findDef(*tokens, 0, "get_args");
    const auto call = findDef(*tokens, 0, "call");
    source.hasBenchmark = getArgs && call;
    if (getArgs) {
        auto arguments = readGetArgs(*source.text, *tokens, *getArgs);
        if (arguments) {
            source.arguments = std::move(*arguments);
        } else {
            source.argumentsError = arguments.error().message;
        }
    }
    if (call) {
        source.runCall = readRunCall(*source.text, *tokens, *call);
    }
    return source;
}

Result<std::vector<EmbeddedKernel>> embeddedKernels(std::string_view moduleText) {
    constexpr std::string_view kPathComment = "# kernel path: ";
    const auto tokens = pyTokens(moduleText);
    if (!tokens) {
        return tl::unexpected(tokens.error());
    }
    std::vector<EmbeddedKernel> kernels;
    std::size_t searched = 0;
    for (std::size_t i = 0; i + 6 < tokens->size(); ++i) {
        const PyToken* t = tokens->data() + i;
        const bool call = t[0].isName("async_compile") && t[1].is(".") && t[2].isName("triton") &&
                          t[3].is("(") && t[4].kind == PyToken::Kind::String && t[5].is(",") &&
                          t[6].kind == PyToken::Kind::String;
        if (!call) {
            continue;
        }
        EmbeddedKernel kernel{pyStringValue(t[4].text), {}, pyStringValue(t[6].text)};
        const auto before = moduleText.substr(searched, t[0].offset - searched);
        if (const auto comment = before.rfind(kPathComment); comment != std::string_view::npos) {
            const auto rest = before.substr(comment + kPathComment.size());
            kernel.path = rest.substr(0, rest.find('\n'));
        }
        searched = t[6].offset;
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

}  // namespace kinetoscope::metrics
