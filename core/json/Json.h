// SPDX-License-Identifier: Apache-2.0
// The one way to and from nlohmann's JSON: no document passes the limits of JsonLimits.h, nothing
// throws, and nothing recurses without bound.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/json/JsonLimits.h"

namespace kinetoscope::json {

/// Fails, with a message that follows a name ("is not valid JSON"), for invalid text and when a
/// limit is exceeded.
[[nodiscard]] Result<nlohmann::json> parseJson(std::string_view text);
/// The same for a document that has to be an object ("is not a valid JSON object").
[[nodiscard]] Result<nlohmann::json> parseJsonObject(std::string_view text);
/// As parseJson(), with the members of objects in their order.
[[nodiscard]] Result<nlohmann::ordered_json> parseOrderedJson(std::string_view text);
/// The same for a receiver of single values; what it refuses is a failure too.
[[nodiscard]] Result<void> scanJson(std::string_view text,
                                    nlohmann::json_sax<nlohmann::json>& receiver);
/// Whether it is whole JSON within the limits.
[[nodiscard]] bool isJson(std::string_view text);

/// The document as text: on one line, or with `indent` blanks a level. Invalid UTF-8 becomes
/// U+FFFD, non-finite numbers null; safe on a terminal, see safeJson().
[[nodiscard]] std::string jsonText(const nlohmann::json& json, int indent = -1);
[[nodiscard]] std::string jsonText(const nlohmann::ordered_json& json, int indent = -1);
/// Equivalent JSON that cannot act on a terminal: of the characters allowed unescaped in a string,
/// DEL, the controls beyond ASCII, line separators and direction marks become \u009b.
[[nodiscard]] std::string safeJson(std::string json);
/// The text as a JSON string with its quotes.
[[nodiscard]] std::string quotedJson(std::string_view text);

}  // namespace kinetoscope::json
