// SPDX-License-Identifier: Apache-2.0
#include "core/import/event/NextEvent.h"

#include <algorithm>

#include "core/import/event/GenericReader.h"
#include "core/import/event/TolerantReader.h"

namespace kinetoscope::import::event {

namespace {

using scan::skipSpace;

// The largest event at which reading resumes after damage.
constexpr std::uint64_t kFarLook = 1024 * 1024;

enum class Attempt { Yes, No, NeedMore };

class Search {
public:
    Search(source::TextWindow& window, const char*& at, ArrayEndForm arrayEnd,
           RecoveryBudget& budget, std::uint64_t limit)
        : m_window(window), m_at(at), m_arrayEnd(arrayEnd), m_budget(budget), m_limit(limit) {}

    NextKind run() {
        // After garbage an element may follow immediately, after an event's own '{' only a member.
        m_previous = *m_at == '{' ? '{' : ',';
        ++m_at;
        for (;;) {
            m_at = nextBracket();
            if (m_window.offsetOf(m_at) >= m_limit) {
                return NextKind::EndOfText;
            }
            if (m_at >= m_window.end()) {
                if (!m_window.more(m_at)) {
                    return NextKind::EndOfText;
                }
                continue;
            }
            const bool object = *m_at == '{';
            switch (object ? attemptEvent() : attemptArrayEnd()) {
                case Attempt::Yes:
                    return object ? NextKind::Event : NextKind::ArrayEnd;
                case Attempt::No:
                    m_previous = *m_at;
                    ++m_at;
                    break;
                case Attempt::NeedMore:
                    if (!m_window.more(m_at) && m_window.stopped()) {
                        return NextKind::EndOfText;
                    }
            }
        }
    }

private:
    // Remembers the last byte that is not a blank, or a line break behind it.
    const char* nextBracket() {
        const char* at = m_at;
        for (; at < m_window.end() && *at != '{' && *at != ']'; ++at) {
            if (*at != ' ' && *at != '\t') {
                m_previous = *at;
            }
        }
        return at;
    }

    [[nodiscard]] std::uint64_t lookAhead() const {
        return std::min(m_budget.left(m_window.offsetOf(m_at)), kFarLook);
    }

    // Only an attempt that may look further, and can, is worth another one.
    Attempt settle(const char* stop) {
        m_budget.charge(std::max<std::ptrdiff_t>(stop - m_at, 1));
        const bool nearEnd = stop + scan::kTextPadding >= m_window.end();
        const auto seen = static_cast<std::uint64_t>(m_window.end() - m_at);
        return nearEnd && !m_window.atEnd() && seen < lookAhead() ? Attempt::NeedMore : Attempt::No;
    }

    [[nodiscard]] const char* lookEnd() const {
        const auto seen = static_cast<std::uint64_t>(m_window.end() - m_at);
        return m_at + std::min(seen, lookAhead());
    }

    Attempt attemptEvent() {
        static constexpr std::string_view kSeparators = ",[}\n\r";
        if (kSeparators.find(m_previous) == std::string_view::npos) {
            return Attempt::No;
        }
        RawEvent event;
        const ReadResult result = readEvent(m_at, lookEnd(), event);
        if (result.complete && result.at <= m_window.end()) {
            m_budget.charge(result.at - m_at);
            return event.has(EventField::Phase) ? Attempt::Yes : Attempt::No;
        }
        return settle(result.at);
    }

    // The ']' is the array's when nothing but the rest of a document follows it.
    Attempt attemptArrayEnd() {
        if (m_arrayEnd == ArrayEndForm::None) {
            return Attempt::No;
        }
        const bool member = m_arrayEnd == ArrayEndForm::Member;
        const char* at = scan::skipSpace(m_at + 1);
        while (member && *at == ',') {
            scan::JsonText text;
            SyntaxIssues issues;
            at = scan::skipSpace(at + 1);
            if (*at != '"') {
                return settle(at);
            }
            const ReadResult key = readValueTolerantly(at, lookEnd(), text, issues);
            at = scan::skipSpace(key.at);
            if (!key.complete || *at != ':') {
                return settle(at);
            }
            const ReadResult value = readValueTolerantly(at + 1, lookEnd(), text, issues);
            at = scan::skipSpace(value.at);
            if (!value.complete) {
                return settle(at);
            }
        }
        if (member) {
            if (*at != '}') {
                return settle(at);
            }
            at = scan::skipSpace(at + 1);
        }
        if (at >= m_window.end() && m_window.atEnd()) {
            return Attempt::Yes;
        }
        return settle(at);
    }

    source::TextWindow& m_window;
    const char*& m_at;
    ArrayEndForm m_arrayEnd;
    RecoveryBudget& m_budget;
    std::uint64_t m_limit;
    char m_previous = ',';
};

}  // namespace

NextKind findNextEvent(source::TextWindow& window, const char*& at, ArrayEndForm arrayEnd,
                       RecoveryBudget& budget, std::uint64_t limit) {
    return Search(window, at, arrayEnd, budget, limit).run();
}

}  // namespace kinetoscope::import::event
