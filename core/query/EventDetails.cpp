// SPDX-License-Identifier: Apache-2.0
#include "core/query/EventDetails.h"

#include <utility>

#include "core/json/Json.h"

namespace kinetoscope::query {

namespace {

/// Makes rows while reading, so that numbers stay as the file writes them.
class RowReader final : public nlohmann::json_sax<nlohmann::json> {
public:
    [[nodiscard]] std::vector<DetailRow> takeRows() { return std::move(m_rows); }

    bool null() override { return addValue("null"); }
    bool boolean(bool value) override { return addValue(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return addValue(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override {
        return addValue(std::to_string(value));
    }
    bool number_float(number_float_t /*value*/, const string_t& text) override {
        return addValue(text);
    }
    bool string(string_t& value) override {
        return m_arrays == 0 ? addValue(value) : addValue(json::quotedJson(value));
    }
    bool binary(binary_t& /*value*/) override { return false; }

    bool start_object(std::size_t /*size*/) override {
        if (m_arrays > 0) {
            return openInArray('{');
        }
        if (m_depth > 0) {
            addRow({});
        }
        ++m_depth;
        return true;
    }
    bool key(string_t& value) override {
        if (m_arrays > 0) {
            addSeparator();
            m_array += json::quotedJson(value) + ": ";
            m_first = true;
        } else {
            m_key = value;
        }
        return true;
    }
    bool end_object() override {
        if (m_arrays > 0) {
            return closeInArray('}');
        }
        --m_depth;
        return true;
    }
    bool start_array(std::size_t /*size*/) override { return openInArray('['); }
    bool end_array() override { return closeInArray(']'); }
    bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                     const nlohmann::json::exception& /*error*/) override {
        return false;
    }

private:
    void addRow(std::string value) {
        m_rows.push_back({m_key, std::move(value), static_cast<std::uint16_t>(m_depth - 1)});
    }
    bool addValue(const std::string& text) {
        if (m_depth == 0) {
            return false;  // not an object
        }
        if (m_arrays > 0) {
            addSeparator();
            m_array += text;
        } else {
            addRow(text);
        }
        return true;
    }
    void addSeparator() {
        m_array += m_first ? "" : ", ";
        m_first = false;
    }
    bool openInArray(char bracket) {
        if (m_depth == 0) {
            return false;
        }
        if (m_arrays > 0) {
            addSeparator();
        }
        ++m_arrays;
        m_array += bracket;
        m_first = true;
        return true;
    }
    bool closeInArray(char bracket) {
        m_array += bracket;
        m_first = false;
        if (--m_arrays == 0) {
            addRow(std::exchange(m_array, {}));
        }
        return true;
    }

    std::vector<DetailRow> m_rows;
    std::string m_key;
    std::string m_array;  ///< the value of m_key so far, when that is an array
    int m_depth = 0;      ///< open objects that are rows
    int m_arrays = 0;     ///< open brackets of m_array
    bool m_first = true;
};

}  // namespace

std::vector<DetailRow> jsonRows(const std::string& text) {
    RowReader reader;
    if (!json::scanJson(text, reader)) {
        return {{"event", text, 0}};
    }
    return reader.takeRows();
}

Result<std::vector<DetailRow>> eventDetails(const trace::Trace& trace, trace::SliceId slice) {
    return slice < trace.sliceCount() ? eventDetailsAt(trace, trace.offset(slice))
                                      : fail("There is no such slice in this trace.");
}

Result<std::vector<DetailRow>> eventDetailsAt(const trace::Trace& trace, std::uint64_t offset) {
    if (trace.eventText() == nullptr) {
        return fail("This trace keeps no text of its events.");
    }
    return trace.eventText()->event(offset).map(jsonRows);
}

}  // namespace kinetoscope::query
