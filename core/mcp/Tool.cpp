// SPDX-License-Identifier: Apache-2.0
#include "core/mcp/Tool.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/base/Threads.h"

namespace kinetoscope::mcp {

namespace {

constexpr std::size_t kMaxTexts = 20;

const std::array<Parameter, 2> kPaging{{
    {"cursor", ParameterType::Text, "next_cursor of the previous answer, for the following rows"},
    {"max_tokens", ParameterType::Number,
     "Size of the answer, 500 to 20000 tokens (default: 2000)"},
}};

std::vector<Parameter> parametersOf(const Tool& tool) {
    std::vector<Parameter> all = tool.parameters;
    if (tool.isList) {
        all.insert(all.end(), kPaging.begin(), kPaging.end());
    }
    return all;
}

const char* typeName(ParameterType type) {
    static constexpr std::array<const char*, 4> kNames{"string", "integer", "boolean", "array"};
    return kNames[static_cast<std::size_t>(type)];
}

bool fits(const Parameter& parameter, const Json& value) {
    switch (parameter.type) {
        case ParameterType::Number:
            return value.is_number_integer() && value >= 0;
        case ParameterType::Flag:
            return value.is_boolean();
        case ParameterType::Texts:
            return value.is_array() && !value.empty() && value.size() <= kMaxTexts &&
                   std::ranges::all_of(value, [](const Json& each) { return each.is_string(); });
        case ParameterType::Text:
            break;
    }
    return value.is_string() &&
           (parameter.choices.empty() ||
            std::ranges::count(parameter.choices, value.get_ref<const std::string&>()) > 0);
}

std::string wanted(const Parameter& parameter) {
    static constexpr std::array<const char*, 4> kWords{"a text", "a number from 0 on",
                                                       "true or false", "a list of 1 to 20 texts"};
    return parameter.choices.empty() ? kWords[static_cast<std::size_t>(parameter.type)]
                                     : fmt::format("one of {}", fmt::join(parameter.choices, ", "));
}

Result<Page> pageOf(const Json& arguments) {
    Page page;
    if (const auto cursor = arguments.find("cursor"); cursor != arguments.end()) {
        const auto& text = cursor->get_ref<const std::string&>();
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, page.first);
        if (error != std::errc() || rest != end) {
            return fail(
                "cursor: not from an earlier answer; leave it out to start at the first row");
        }
    }
    if (const auto tokens = arguments.find("max_tokens"); tokens != arguments.end()) {
        page.tokens = tokens->get<std::size_t>();
        if (page.tokens < kMinTokens || page.tokens > kMaxTokens) {
            return fail(fmt::format("max_tokens: {} is not between {} and {}", page.tokens,
                                    kMinTokens, kMaxTokens));
        }
    }
    return page;
}

}  // namespace

std::string Call::text(std::string_view name) const {
    const auto found = arguments.find(name);
    return found == arguments.end() ? std::string() : found->get<std::string>();
}

bool Call::flag(std::string_view name) const {
    const auto found = arguments.find(name);
    return found != arguments.end() && found->get<bool>();
}

const std::vector<Tool>& allTools() {
    static const std::vector<Tool> kTools = [] {
        std::vector<Tool> all;
        for (const auto& part : {fileTools(), figureTools(), adviceTools(), eventTools(),
                                 pathTools(), sqlTools(), comparisonTools()}) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }();
    return kTools;
}

Json schemaOf(const Tool& tool) {
    Json properties = Json::object();
    Json required = Json::array();
    for (const Parameter& parameter : parametersOf(tool)) {
        Json& property = properties[std::string(parameter.name)];
        property = {{"type", typeName(parameter.type)}, {"description", parameter.about}};
        if (parameter.type == ParameterType::Texts) {
            property["items"] = {{"type", "string"}};
        }
        if (!parameter.choices.empty()) {
            property["enum"] = parameter.choices;
        }
        if (parameter.required) {
            required.push_back(parameter.name);
        }
    }
    Json schema{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) {
        schema["required"] = std::move(required);
    }
    schema["additionalProperties"] = false;
    return schema;
}

Result<void> checkArguments(const Tool& tool, const Json& arguments) {
    if (!arguments.is_object()) {
        return fail(fmt::format("{}: arguments are an object", tool.name));
    }
    const std::vector<Parameter> parameters = parametersOf(tool);
    for (const auto& [name, value] : arguments.items()) {
        const auto known = std::ranges::find(parameters, name, &Parameter::name);
        if (known == parameters.end()) {
            std::vector<std::string_view> names;
            std::ranges::transform(parameters, std::back_inserter(names), &Parameter::name);
            return fail(fmt::format("{}: no argument '{}'; there are: {}", tool.name,
                                    shown(name, 40), fmt::join(names, ", ")));
        }
        if (!fits(*known, value)) {
            return fail(fmt::format("{}: '{}' is {}", tool.name, known->name, wanted(*known)));
        }
    }
    for (const Parameter& parameter : parameters) {
        if (parameter.required && !arguments.contains(parameter.name)) {
            return fail(fmt::format("{}: the argument '{}' is missing: {}", tool.name,
                                    parameter.name, parameter.about));
        }
    }
    return {};
}

Result<Json> runTool(const Tool& tool, Workspace& workspace, const Json& arguments,
                     const std::stop_token& stop) {
    if (const auto checked = checkArguments(tool, arguments); !checked) {
        return tl::unexpected(checked.error());
    }
    const auto page = pageOf(arguments);
    if (!page) {
        return tl::unexpected(page.error());
    }
    return guarded([&] { return tool.run(workspace, Call{arguments, *page, stop}); });
}

}  // namespace kinetoscope::mcp
