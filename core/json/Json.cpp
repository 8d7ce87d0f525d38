// SPDX-License-Identifier: Apache-2.0
#include "core/json/Json.h"

#include <fmt/format.h>

#include "core/json/OrderedReader.h"

namespace kinetoscope::json {

namespace {

// Bytes of the character at the beginning of `text` if a terminal acts on it, and its code.
struct Unsafe {
    std::size_t bytes = 0;
    unsigned code = 0;
};

Unsafe unsafeAt(std::string_view text) {
    const auto byte = [text](std::size_t at) -> unsigned {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    if (byte(0) == 0x7f) {
        return {1, 0x7f};
    }
    if (byte(0) == 0xc2 && byte(1) <= 0x9f) {
        return {2, byte(1)};
    }
    if (byte(0) == 0xd8 && byte(1) == 0x9c) {
        return {2, 0x61c};
    }
    const unsigned code = (byte(0) & 0xfU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
    const bool acts = code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                      (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
    return (byte(0) & 0xf0U) == 0xe0 && acts ? Unsafe{3, code} : Unsafe{};
}

template <class Json>
std::string written(const Json& json, int indent) {
    return safeJson(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

Result<nlohmann::json> parseJson(std::string_view text) {
    if (auto within = withinJsonLimits(text); !within) {
        return tl::unexpected(within.error());
    }
    auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_discarded()) {
        return fail("is not valid JSON");
    }
    return Result<nlohmann::json>(tl::in_place, std::move(json));
}

Result<nlohmann::json> parseJsonObject(std::string_view text) {
    if (auto within = withinJsonLimits(text); !within) {
        return tl::unexpected(within.error());
    }
    auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object()) {
        return fail("is not a valid JSON object");
    }
    return Result<nlohmann::json>(tl::in_place, std::move(json));
}

Result<nlohmann::ordered_json> parseOrderedJson(std::string_view text) {
    OrderedReader reader;
    if (auto read = scanJson(text, reader); !read) {
        return tl::unexpected(read.error());
    }
    return Result<nlohmann::ordered_json>(tl::in_place, reader.takeDocument());
}

Result<void> scanJson(std::string_view text, nlohmann::json_sax<nlohmann::json>& receiver) {
    if (auto within = withinJsonLimits(text); !within) {
        return within;
    }
    return nlohmann::json::sax_parse(text, &receiver) ? Result<void>{} : fail("is not valid JSON");
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

std::string safeJson(std::string json) {
    std::string safe;
    std::size_t done = 0;
    for (std::size_t at = 0; at < json.size(); ++at) {
        if (static_cast<unsigned char>(json[at]) < 0x7f) {
            continue;
        }
        if (const Unsafe found = unsafeAt(std::string_view(json).substr(at)); found.bytes > 0) {
            safe.append(json, done, at - done);
            safe += fmt::format("\\u{:04x}", found.code);
            done = at + found.bytes;
            at = done - 1;
        }
    }
    return done == 0 ? json : safe.append(json, done);
}

std::string quotedJson(std::string_view text) {
    return written(nlohmann::json(text), -1);
}

}  // namespace kinetoscope::json
