// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/wire/Fields.h"
#include "tests/support/JsonMutator.h"

namespace kinetoscope::test {

/// Changes protobuf messages by whole fields, with the lengths around them as they must be, and
/// JSON documents as JsonMutator does; always the same way for one seed.
class WireMutator {
public:
    explicit WireMutator(std::uint64_t seed) : m_random(seed) {}

    /// One to four changes; what is put in comes from the message itself or from `other`.
    [[nodiscard]] std::string change(std::string message, std::string_view other) {
        if (isJson(message)) {
            return JsonMutator(m_random()).change(std::move(message), other);
        }
        for (std::size_t left = 1 + below(4); left > 0; --left) {
            const std::string giver = below(2) == 0 || isJson(other) ? message : std::string(other);
            message = changed(message, giver);
        }
        return message;
    }

private:
    using Field = import::wire::Field;
    using Type = protozero::pbf_wire_type;

    [[nodiscard]] static bool isJson(std::string_view text) {
        const std::size_t at = text.find_first_not_of(" \t\r\n");
        return at < text.size() && (text[at] == '{' || text[at] == '[');
    }

    [[nodiscard]] std::size_t below(std::size_t limit) {
        return static_cast<std::size_t>(m_random() % limit);
    }

    // Up to where no field can stand.
    [[nodiscard]] static std::vector<Field> fieldsOf(std::string_view message) {
        std::vector<Field> fields;
        const char* at = message.data();
        Field field;
        while (at < message.data() + message.size() &&
               import::wire::nextField(at, message.data() + message.size(), field)) {
            fields.push_back(field);
        }
        return fields;
    }

    [[nodiscard]] static bool isMessage(std::string_view bytes) {
        const char* at = bytes.data();
        Field field;
        while (at < bytes.data() + bytes.size()) {
            if (!import::wire::nextField(at, bytes.data() + bytes.size(), field) || field.cut) {
                return false;
            }
        }
        return !bytes.empty();
    }

    [[nodiscard]] static std::string written(Field field) {
        // Protobuf's own, which its writers refuse.
        constexpr std::uint32_t kFirstReserved = 19'000;
        constexpr std::uint32_t kLastReserved = 19'999;
        field.tag = field.tag >= kFirstReserved && field.tag <= kLastReserved ? 1 : field.tag;
        std::string bytes;
        protozero::pbf_writer writer(bytes);
        switch (field.type) {
            case Type::varint:
                writer.add_uint64(field.tag, field.number);
                break;
            case Type::fixed64:
                writer.add_fixed64(field.tag, field.number);
                break;
            case Type::fixed32:
                writer.add_fixed32(field.tag, static_cast<std::uint32_t>(field.number));
                break;
            default:
                writer.add_bytes(field.tag, field.bytes.data(), field.bytes.size());
        }
        return bytes;
    }

    // `giver` is a message of the same kind.
    [[nodiscard]] std::string changed(std::string_view message, std::string_view giver) {
        const std::vector<Field> fields = fieldsOf(message);
        const std::vector<Field> gifts = fieldsOf(giver);
        if (fields.empty() || gifts.empty()) {
            return std::string(message);
        }
        const std::size_t place = below(fields.size());
        const Field& field = fields[place];
        const char* const end = message.data() + message.size();
        const char* const behind = place + 1 < fields.size() ? fields[place + 1].at : end;
        return std::string(message.data(), field.at) +
               (isMessage(field.bytes) && below(5) > 0 ? deeper(field, gifts)
                                                       : replacement(fields, place, gifts)) +
               std::string(behind, end);
    }

    // The field with a change within it.
    [[nodiscard]] std::string deeper(Field field, const std::vector<Field>& gifts) {
        std::vector<std::string_view> alike;
        for (const Field& gift : gifts) {
            if (gift.tag == field.tag && gift.isBytes()) {
                alike.push_back(gift.bytes);
            }
        }
        const std::string inner =
            changed(field.bytes, alike.empty() ? field.bytes : alike[below(alike.size())]);
        field.bytes = inner;
        return written(field);
    }

    [[nodiscard]] std::string replacement(const std::vector<Field>& fields, std::size_t place,
                                          const std::vector<Field>& gifts) {
        Field field = fields[place];
        const Field& gift = gifts[below(gifts.size())];
        switch (below(8)) {
            case 0:
                return {};
            case 1:
                return written(gift) + written(field);
            case 2:
                return written(gift);
            case 3:
                field.tag = below(2) == 0 ? gift.tag : 1 + static_cast<std::uint32_t>(below(64));
                return written(field);
            case 4:
                return ofAnotherType(field);
            case 5:  // another one comes before its time, too
                return written(fields[below(fields.size())]) + written(field);
            default:
                return field.isBytes() ? withOtherText(field, gifts) : withOtherNumber(field, gift);
        }
    }

    [[nodiscard]] std::string ofAnotherType(Field field) {
        static constexpr std::array kTypes{Type::varint, Type::fixed64, Type::fixed32,
                                           Type::length_delimited};
        field.type = kTypes[below(kTypes.size())];
        return written(field);
    }

    [[nodiscard]] std::string withOtherNumber(Field field, const Field& gift) {
        static constexpr std::array<std::uint64_t, 9> kNumbers{0,
                                                               1,
                                                               0x7fffffff,
                                                               0xffffffff,
                                                               1ULL << 53U,
                                                               0x7fffffffffffffff,
                                                               0x8000000000000000,
                                                               0x7ff8000000000000,  // not a number
                                                               0xffffffffffffffff};
        switch (below(4)) {
            case 0:
                field.number = kNumbers[below(kNumbers.size())];
                break;
            case 1:
                field.number = gift.number;
                break;
            case 2:
                field.number += below(2) == 0 ? 1 : ~std::uint64_t{0};
                break;
            default:
                field.number ^= 1ULL << below(64);
        }
        return written(field);
    }

    [[nodiscard]] std::string withOtherText(Field field, const std::vector<Field>& gifts) {
        using namespace std::string_view_literals;
        static constexpr std::array kTexts{
            ""sv,   "\0"sv,  "\n"sv,   "\"\\"sv,      "\xff\xfe"sv, "\u202e"sv,      "null"sv,
            "-1"sv, "1e3"sv, "0x1f"sv, "{\"a\":1}"sv, "[1"sv,       "name:a b:2,3"sv};
        std::string text(field.bytes);
        const std::string_view other = gifts[below(gifts.size())].bytes;
        switch (below(4)) {
            case 0:
                text = kTexts[below(kTexts.size())];
                break;
            case 1:
                text = other;
                break;
            case 2:
                text.insert(below(text.size() + 1), kTexts[below(kTexts.size())]);
                break;
            default:
                if (!text.empty()) {
                    text[below(text.size())] = static_cast<char>(below(256));
                }
        }
        field.bytes = text;
        return written(field);
    }

    std::mt19937_64 m_random;
};

}  // namespace kinetoscope::test
