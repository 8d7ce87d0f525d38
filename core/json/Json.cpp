// SPDX-License-Identifier: Apache-2.0
#include "core/json/Json.h"

namespace kinetoscope {

namespace {

template <class Json>
Result<Json> parsed(std::string_view text) {
    if (auto within = withinJsonLimits(text); !within) {
        return tl::unexpected(within.error());
    }
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) {
        return fail("is no whole JSON");
    }
    return Result<Json>(tl::in_place, std::move(json));
}

template <class Json>
std::string written(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<nlohmann::json> parseJson(std::string_view text) {
    return parsed<nlohmann::json>(text);
}

Result<nlohmann::json> parseJsonObject(std::string_view text) {
    if (auto within = withinJsonLimits(text); !within) {
        return tl::unexpected(within.error());
    }
    auto json = parsed<nlohmann::json>(text);
    return json && json->is_object() ? std::move(json) : fail("is no whole JSON object");
}

Result<nlohmann::ordered_json> parseOrderedJson(std::string_view text) {
    return parsed<nlohmann::ordered_json>(text);
}

Result<void> scanJson(std::string_view text, nlohmann::json_sax<nlohmann::json>& receiver) {
    if (auto within = withinJsonLimits(text); !within) {
        return within;
    }
    return nlohmann::json::sax_parse(text, &receiver) ? Result<void>{} : fail("is no whole JSON");
}

bool isJson(std::string_view text) {
    return withinJsonLimits(text).has_value() && nlohmann::json::accept(text);
}

std::string jsonText(const nlohmann::json& json, int indent) {
    return written(json, indent);
}

std::string jsonText(const nlohmann::ordered_json& json, int indent) {
    return written(json, indent);
}

std::string quotedJson(std::string_view text) {
    return written(nlohmann::json(text), -1);
}

}  // namespace kinetoscope
