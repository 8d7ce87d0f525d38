// SPDX-License-Identifier: Apache-2.0
// Classes whose calls make plain data, by their names; nothing is called.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/pickle/Machine.h"

namespace kinetoscope::pickle {

namespace {

// What names of classes stand for in data.
enum class Meaning : std::uint8_t {
    Refused,
    Dict,       // called with nothing, a dict, or a list of pairs
    Sequence,   // called with an iterable
    First,      // its first argument is the value
    Bytes,      // of text in Latin-1
    Name,       // its name is enough
    NameOfOne,  // called with texts: the first is enough
};

struct KnownClass {
    std::string_view name;
    Meaning meaning;
    Kind kind = Kind::None;
};

constexpr std::array kKnown{
    KnownClass{"collections.OrderedDict", Meaning::Dict},
    KnownClass{"collections.defaultdict", Meaning::Dict},
    KnownClass{"builtins.dict", Meaning::Dict},
    KnownClass{"__builtin__.dict", Meaning::Dict},
    KnownClass{"builtins.set", Meaning::Sequence, Kind::Set},
    KnownClass{"__builtin__.set", Meaning::Sequence, Kind::Set},
    KnownClass{"builtins.frozenset", Meaning::Sequence, Kind::Set},
    KnownClass{"__builtin__.frozenset", Meaning::Sequence, Kind::Set},
    KnownClass{"builtins.list", Meaning::Sequence, Kind::List},
    KnownClass{"__builtin__.list", Meaning::Sequence, Kind::List},
    KnownClass{"builtins.tuple", Meaning::Sequence, Kind::Tuple},
    KnownClass{"__builtin__.tuple", Meaning::Sequence, Kind::Tuple},
    KnownClass{"torch.Size", Meaning::Sequence, Kind::Tuple},
    KnownClass{"builtins.bytearray", Meaning::First},
    KnownClass{"__builtin__.bytearray", Meaning::First},
    KnownClass{"_codecs.encode", Meaning::Bytes},
    KnownClass{"torch.jit._pickle.build_intlist", Meaning::First},
    KnownClass{"torch.jit._pickle.build_doublelist", Meaning::First},
    KnownClass{"torch.jit._pickle.build_boollist", Meaning::First},
    KnownClass{"torch.jit._pickle.restore_type_tag", Meaning::First},
    KnownClass{"torch.device", Meaning::NameOfOne},
};

constexpr std::array<std::string_view, 24> kTorchTypes{
    "float16", "float32",     "float64",         "bfloat16",
    "half",    "float",       "double",          "uint8",
    "int8",    "int16",       "int32",           "int64",
    "bool",    "complex32",   "complex64",       "uint16",
    "uint32",  "uint64",      "complex128",      "float8_e4m3fn",
    "long",    "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"};

KnownClass meaningOf(std::string_view name) {
    const auto known = std::ranges::find(kKnown, name, &KnownClass::name);
    if (known != kKnown.end()) {
        return *known;
    }
    constexpr std::string_view kTorch = "torch.";
    if (name.starts_with(kTorch) &&
        std::ranges::find(kTorchTypes, name.substr(kTorch.size())) != kTorchTypes.end()) {
        return {name, Meaning::Name};
    }
    return {name, Meaning::Refused};
}

// Latin-1 as it was written in UTF-8.
std::string latin1(std::string_view utf8) {
    std::string bytes;
    for (std::size_t i = 0; i < utf8.size(); ++i) {
        const auto byte = static_cast<unsigned char>(utf8[i]);
        if ((byte == 0xc2 || byte == 0xc3) && i + 1 < utf8.size()) {
            const auto next = static_cast<unsigned char>(utf8[++i]);
            bytes += static_cast<char>((byte & 3U) << 6U | (next & 0x3fU));
        } else {
            bytes += utf8[i];
        }
    }
    return bytes;
}

}  // namespace

void Machine::pushClass(std::string_view module, std::string_view name) {
    const std::string whole = fmt::format("{}.{}", module, name);
    const KnownClass known = meaningOf(whole);
    if (known.meaning == Meaning::Refused) {
        throw Damage{fmt::format(
            "it asks for '{}'; only plain data is read, nothing of it was loaded or called",
            whole.substr(0, 200))};
    }
    pushText(Kind::Record, known.meaning == Meaning::Name ? name : whole);
}

// A call is short and what it copies may be long: together no more than a document may hold.
std::vector<Value> Machine::copyOf(Value sequence) {
    const std::span<const Value> elements = m_document.elements(sequence);
    m_copied += elements.size();
    if (m_copied > kMaxHeld) {
        throw Damage{"it copies more values than any recorder writes"};
    }
    checkRoom(elements.size());
    return {elements.begin(), elements.end()};
}

Value Machine::called(std::string_view name, std::span<const Value> arguments) {
    const KnownClass known = meaningOf(name);
    const Value first = arguments.empty() ? Value() : arguments.front();
    switch (known.meaning) {
        case Meaning::Dict: {
            if (first.kind() == Kind::Dict) {
                return first;
            }
            const Value dict = m_document.addDict();
            for (const Value pair : copyOf(first)) {
                const std::span<const Value> item = m_document.elements(pair);
                if (item.size() == 2) {
                    const std::array copy{item[0], item[1]};
                    setMembers(dict, copy);
                }
            }
            return dict;
        }
        case Meaning::Sequence:
            return m_document.addSequence(known.kind, copyOf(first));
        case Meaning::First:
            return first;
        case Meaning::Bytes:
            return m_document.addText(Kind::Bytes, latin1(m_document.text(first)));
        case Meaning::NameOfOne:
            return m_document.addText(Kind::Record, m_document.text(first));
        case Meaning::Name:
        case Meaning::Refused:
            break;
    }
    throw Damage{fmt::format("it calls '{}'; only plain data is read, nothing was called", name)};
}

void Machine::call() {
    const Value arguments = pop();
    const Value callee = pop();
    if (callee.kind() != Kind::Record || arguments.kind() != Kind::Tuple) {
        throw Damage{"it calls something that is not a class; nothing was called"};
    }
    checkRoom(0);
    push(called(m_document.text(callee), copyOf(arguments)));
}

}  // namespace kinetoscope::pickle
