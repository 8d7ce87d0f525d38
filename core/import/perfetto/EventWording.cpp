// SPDX-License-Identifier: Apache-2.0
// Events.h: events as Kineto would write them.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/base/Utf8.h"
#include "core/import/perfetto/AnnotationFields.h"
#include "core/import/perfetto/Events.h"

namespace kinetoscope::import::perfetto {

namespace {

constexpr int kMaxDictionaryDepth = 16;  // dictionaries in dictionaries

// Keys of one object: of those that are the same, readers of JSON keep only one.
class Keys {
public:
    [[nodiscard]] std::string own(std::string_view name) {
        const std::string text(asUtf8(name, m_storage));
        std::string key = text;
        while (!m_taken.insert(key).second) {
            key = fmt::format("{} ({})", text, 2 + m_repeated[text]++);
        }
        return key;
    }

private:
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, int> m_repeated;
    std::string m_storage;
};

template <class TextOf>
class AnnotationWords {
public:
    AnnotationWords(const Sequence& sequence, const TextOf& textOf)
        : m_sequence(sequence), m_textOf(textOf) {}

    // The annotation's value as JSON, its name in `name`.
    [[nodiscard]] std::string json(std::string_view message, std::string& name, int depth) {
        std::string value;
        std::string members;
        Keys keys;
        bool array = false;
        wire::forEachField(message, [&](const wire::Field& field) {
            switch (field.tag) {
                case NameIdField:
                    name = m_textOf(m_sequence.annotationNames, field.number);
                    return;
                case NameField:
                    name = field.bytes;
                    return;
                case BoolField:
                    value = field.number != 0 ? "true" : "false";
                    return;
                case UnsignedField:
                case PointerField:
                    value = std::to_string(field.number);
                    return;
                case IntegerField:
                    value = std::to_string(field.integer());
                    return;
                case RealField:
                    value = std::isfinite(field.real()) ? fmt::format("{}", field.real()) : "null";
                    return;
                case TextField:
                case JsonField:
                    value = wire::quoted(field.bytes);
                    return;
                case TextIdField:
                    value = wire::quoted(m_textOf(m_sequence.annotationTexts, field.number));
                    return;
                case DictionaryField:
                case ArrayField:
                    array = field.tag == ArrayField;
                    return member(members, keys, field, depth);
                default:
                    return;
            }
        });
        if (!members.empty()) {
            return array ? "[" + members + "]" : "{" + members + "}";
        }
        return value.empty() ? "null" : value;
    }

private:
    void member(std::string& members, Keys& keys, const wire::Field& field, int depth) {
        if (depth >= kMaxDictionaryDepth) {
            return;
        }
        std::string name;
        const std::string value = json(field.bytes, name, depth + 1);
        members += members.empty() ? "" : ", ";
        members += field.tag == ArrayField ? value : wire::quoted(keys.own(name)) + ": " + value;
    }

    const Sequence& m_sequence;
    const TextOf& m_textOf;
};

}  // namespace

void EventReader::wordAnnotations(std::string_view trackEvent, wire::EventWords& words) const {
    const auto textOf = [this](const InternedTable& table, std::uint64_t id) {
        return std::string(text(table, id).view());
    };
    AnnotationWords annotations(m_sequence, textOf);
    Keys keys;
    wire::forEachField(trackEvent, [&](const wire::Field& field) {
        if (field.tag != 4) {
            return;
        }
        std::string name;
        const std::string value = annotations.json(field.bytes, name, 0);
        // Values that have a column are taken from there.
        if (event::argumentOfSpelling(name) == event::Argument::None ||
            event::argumentOfSpelling(name) == event::Argument::CollectiveName) {
            words.json(keys.own(name), value);
        }
    });
}

void EventReader::wordExtras(std::string_view renderStage, wire::EventWords& words) const {
    Keys keys;
    wire::forEachField(renderStage, [&](const wire::Field& field) {
        if (field.tag != 6) {
            return;
        }
        std::string_view name;
        std::string_view value;
        wire::forEachField(field.bytes, [&](const wire::Field& member) {
            (member.tag == 1 ? name : value) = member.bytes;
        });
        if (event::argumentOfSpelling(name) == event::Argument::None ||
            event::argumentOfSpelling(name) == event::Argument::CollectiveName) {
            words.text(keys.own(name), value);
        }
    });
}

void wordArguments(const event::EventArguments& arguments, bool gpu, wire::EventWords& words) {
    const auto id = [&](std::string_view key, std::int64_t value) {
        if (value != trace::kNoId) {
            words.number(key, value);
        }
    };
    const auto known = [&](std::string_view key, std::int64_t value) {
        if (value > 0) {
            words.number(key, value);
        }
    };
    id("External id", arguments.externalId);
    id("correlation", arguments.correlation);
    if (!gpu) {
        return;
    }
    id("device", arguments.device);
    id("stream", arguments.stream);
    if (arguments.grid[0] > 0) {
        words.triple("grid", arguments.grid);
        words.triple("block", arguments.block);
    }
    known("registers per thread", arguments.registers);
    known("shared memory", arguments.sharedBytes);
    known("bytes", arguments.bytes);
    known("graph id", arguments.graph);
    if (arguments.occupancyPercent >= 0) {
        words.number("est. achieved occupancy %", arguments.occupancyPercent);
    }
}

}  // namespace kinetoscope::import::perfetto
