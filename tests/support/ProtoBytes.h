// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace kinetoscope::test {

/// A protobuf message, made field by field.
class Proto {
public:
    Proto& number(std::uint32_t tag, std::int64_t value) {
        protozero::pbf_writer(m_bytes).add_int64(tag, value);
        return *this;
    }
    Proto& real(std::uint32_t tag, double value) {
        protozero::pbf_writer(m_bytes).add_double(tag, value);
        return *this;
    }
    Proto& fixed(std::uint32_t tag, std::uint64_t value) {
        protozero::pbf_writer(m_bytes).add_fixed64(tag, value);
        return *this;
    }
    Proto& text(std::uint32_t tag, std::string_view value) {
        protozero::pbf_writer(m_bytes).add_string(tag, value.data(), value.size());
        return *this;
    }
    Proto& message(std::uint32_t tag, const Proto& value) { return text(tag, value.m_bytes); }

    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

}  // namespace kinetoscope::test
