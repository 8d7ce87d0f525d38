// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/import/event/EventArguments.h"
#include "core/import/scan/JsonScan.h"

namespace kinetoscope::import::event {

/// Walks a JSON document whose lists are too long to be held: into objects and arrays or past them,
/// one value at a time. Commas are optional. Damage ends the object or array that it is in.
class JsonCursor {
public:
    /// `text` is followed by scan::kTextPadding zeros and outlives the cursor.
    explicit JsonCursor(std::string_view text);

    /// The next value's first byte; '\0' at the end.
    [[nodiscard]] char peek();
    /// Enters the object or array that comes next; false, and nothing happens, where none does.
    [[nodiscard]] bool enter(char bracket);
    /// Inside of an object: to the next member's value. False at its end, behind it, and at damage.
    [[nodiscard]] bool nextMember(std::string& key);
    /// Inside of an array: to the next element. False at its end, behind it, and at damage.
    [[nodiscard]] bool nextElement();
    /// The value that comes next, strings without their quotes; nothing, and damaged(), if it is
    /// not complete.
    [[nodiscard]] std::optional<scan::JsonText> value();
    void skip() { (void)value(); }

    /// Whether it cannot go on here.
    [[nodiscard]] bool damaged() const { return m_damaged; }
    /// Inside of an array, behind damage: to the next '{'. False where none comes, or after too
    /// many attempts.
    [[nodiscard]] bool recover();

    [[nodiscard]] const char* at() const { return m_at; }
    /// Goes to where the cursor has been.
    void goTo(const char* at) {
        m_at = at;
        m_damaged = false;
    }
    [[nodiscard]] std::uint64_t offset() const {
        return static_cast<std::uint64_t>(m_at - m_begin);
    }
    [[nodiscard]] bool atEnd() const { return m_at >= m_end; }

private:
    [[nodiscard]] bool fail();

    const char* m_begin;
    const char* m_at;
    const char* m_end;
    bool m_damaged = false;
    int m_recoveries = 0;
};

/// Calls visit(key, value) for each member of an object, keys as written; false if it is not an
/// object or is damaged.
template <class Visit>
bool visitMembers(const scan::JsonText& object, Visit&& visit) {
    return object.kind == scan::JsonKind::Object &&
           forEachMember(object, [&](const scan::JsonText& key, const scan::JsonText& value) {
               visit(key.view(), value);
           });
}

/// A number as it is written, rounded to an integer; `otherwise` for anything else.
[[nodiscard]] std::int64_t integerOr(const scan::JsonText& value, std::int64_t otherwise);
/// The text of a string, valid until `storage` changes; empty for anything else.
[[nodiscard]] std::string_view stringOf(const scan::JsonText& value, std::string& storage);

}  // namespace kinetoscope::import::event
