// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <protozero/exception.hpp>
#include <protozero/types.hpp>
#include <protozero/varint.hpp>
#include <string_view>

namespace kinetoscope::import::wire {

/// One field of a protobuf message as it stands in the bytes. Types are not checked: a field of
/// another type than expected gives 0 or nothing.
struct Field {
    const char* at = nullptr;  ///< where the field begins
    std::uint32_t tag = 0;
    protozero::pbf_wire_type type = protozero::pbf_wire_type::unknown;
    bool cut = false;  ///< the message ends before the field does; `bytes` has what is there
    std::uint64_t number = 0;  ///< of varints and fixed widths, the bits as they are
    std::string_view bytes;    ///< of texts, bytes and messages

    [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(number); }
    [[nodiscard]] double real() const {
        return type == protozero::pbf_wire_type::fixed32
                   ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(number)))
                   : std::bit_cast<double>(number);
    }
    [[nodiscard]] bool isBytes() const {
        return type == protozero::pbf_wire_type::length_delimited;
    }
};

/// Reads the field at `at` and moves behind it; false where no field can stand.
[[nodiscard]] inline bool nextField(const char*& at, const char* end, Field& field) {
    using protozero::pbf_wire_type;
    constexpr unsigned kTypeBits = 3;
    field = {};
    field.at = at;
    const auto fixed = [&](std::ptrdiff_t width) {
        if (end - at < width) {
            return false;
        }
        std::memcpy(&field.number, at, static_cast<std::size_t>(width));
        at += width;
        return true;
    };
    try {
        const std::uint64_t key = protozero::decode_varint(&at, end);
        field.tag = static_cast<std::uint32_t>(key >> kTypeBits);
        field.type = static_cast<pbf_wire_type>(key & 7U);
        if (field.tag == 0 || key > UINT32_MAX) {
            return false;
        }
        switch (field.type) {
            case pbf_wire_type::varint:
                field.number = protozero::decode_varint(&at, end);
                return true;
            case pbf_wire_type::fixed64:
                return fixed(sizeof(std::uint64_t));
            case pbf_wire_type::fixed32:
                return fixed(sizeof(std::uint32_t));
            case pbf_wire_type::length_delimited: {
                const std::uint64_t length = protozero::decode_varint(&at, end);
                const auto left = static_cast<std::uint64_t>(end - at);
                field.cut = length > left;
                field.bytes = {at, static_cast<std::size_t>(std::min(length, left))};
                at += field.bytes.size();
                return true;
            }
            default:
                return false;
        }
    } catch (const protozero::exception&) {
        return false;  // a number that is cut, or longer than 64 bits
    }
}

/// Calls visit(field) for each field of a message, cut ones too; false when the bytes go wrong
/// before their end or the last field is cut.
template <class Visit>
bool forEachField(std::string_view message, Visit&& visit) {
    const char* at = message.data();
    const char* end = at + message.size();
    Field field;
    while (at < end) {
        if (!nextField(at, end, field)) {
            return false;
        }
        visit(field);
    }
    return !field.cut;
}

/// Calls visit(number) for each of a repeated number, packed or not.
template <class Visit>
void forEachNumber(const Field& field, Visit&& visit) {
    if (!field.isBytes()) {
        visit(field.number);
        return;
    }
    const char* at = field.bytes.data();
    const char* end = at + field.bytes.size();
    try {
        while (at < end) {
            visit(protozero::decode_varint(&at, end));
        }
    } catch (const protozero::exception&) {
        return;  // what was whole has been visited
    }
}

}  // namespace kinetoscope::import::wire
