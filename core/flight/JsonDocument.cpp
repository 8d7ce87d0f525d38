// SPDX-License-Identifier: Apache-2.0
#include "core/flight/JsonDocument.h"

#include <limits>
#include <vector>

#include "core/json/Json.h"

namespace kinetoscope::flight {

namespace {

using pickle::Document;
using pickle::Kind;
using pickle::Value;

class Receiver final : public nlohmann::json_sax<nlohmann::json> {
public:
    bool null() override { return take({}); }
    bool boolean(bool value) override { return take({Kind::Bool, value ? 1U : 0U}); }
    bool number_integer(number_integer_t value) override { return take(m_document.addInt(value)); }
    bool number_unsigned(number_unsigned_t value) override {
        constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
        return take(value <= static_cast<std::uint64_t>(kMax)
                        ? m_document.addInt(static_cast<std::int64_t>(value))
                        : m_document.addText(Kind::Huge, std::to_string(value)));
    }
    bool number_float(number_float_t value, const string_t& /*text*/) override {
        return take(m_document.addFloat(value));
    }
    bool string(string_t& value) override { return take(m_document.addText(Kind::Text, value)); }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*members*/) override { return open(); }
    bool key(string_t& key) override { return take(m_document.addText(Kind::Text, key)); }
    bool end_object() override {
        const Value dict = m_document.addDict();
        m_document.setItems(dict, inside());
        return close(dict);
    }
    bool start_array(std::size_t /*elements*/) override { return open(); }
    bool end_array() override { return close(m_document.addSequence(Kind::List, inside())); }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*error*/) override {
        return false;
    }

    Document takeDocument(std::size_t bytes) {
        m_document.setRoot(m_values.empty() ? Value() : m_values.front(), bytes);
        return std::move(m_document);
    }

private:
    bool open() {
        m_open.push_back(m_values.size());
        return true;
    }
    [[nodiscard]] std::span<const Value> inside() const {
        return std::span(m_values).subspan(m_open.back());
    }
    bool close(Value made) {
        m_values.resize(m_open.back());
        m_open.pop_back();
        return take(made);
    }
    bool take(Value value) {
        m_values.push_back(value);
        return true;
    }

    Document m_document;
    std::vector<Value> m_values;
    std::vector<std::size_t> m_open;
};

}  // namespace

Result<Document> readJsonDocument(std::string_view text) {
    Receiver receiver;
    if (const auto read = json::scanJson(text, receiver); !read) {
        return tl::unexpected(read.error());
    }
    return receiver.takeDocument(text.size());
}

}  // namespace kinetoscope::flight
