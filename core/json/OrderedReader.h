// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace kinetoscope::json {

/// Makes a document whose objects keep their order, in linear time: the library's own way looks for
/// each key among all that came before it. Duplicate keys: the last value, at the first one's
/// place.
class OrderedReader final : public nlohmann::json_sax<nlohmann::json> {
public:
    bool null() override { return take(nullptr); }
    bool boolean(bool value) override { return take(value); }
    bool number_integer(number_integer_t value) override { return take(value); }
    bool number_unsigned(number_unsigned_t value) override { return take(value); }
    bool number_float(number_float_t value, const string_t& text) override;
    bool string(string_t& value) override { return take(std::move(value)); }
    bool binary(binary_t& value) override;
    bool start_object(std::size_t members) override;
    bool key(string_t& key) override;
    bool end_object() override { return close(); }
    bool start_array(std::size_t elements) override;
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) override;

    /// The parsed document. To be called once.
    [[nodiscard]] nlohmann::ordered_json takeDocument() { return std::move(m_document); }

private:
    using Json = nlohmann::ordered_json;
    struct Nest {
        Json value;
        std::unordered_map<std::string, std::size_t> places;  ///< of an object's members
        std::size_t place = 0;                                ///< of the last key
    };

    bool close();
    bool take(Json value);

    std::vector<Nest> m_open;
    Json m_document;
};

}  // namespace kinetoscope::json
