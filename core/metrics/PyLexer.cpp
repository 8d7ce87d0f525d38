// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/PyLexer.h"

#include <fmt/format.h>

#include <algorithm>

namespace kinetoscope::metrics {

namespace {

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

class Lexer {
public:
    explicit Lexer(std::string_view text) : m_text(text) {}

    [[nodiscard]] Result<std::vector<PyToken>> run() {
        while (m_at < m_text.size()) {
            if (!step()) {
                return fail(fmt::format("line {}: string without an end", line()));
            }
        }
        newLine();
        add(PyToken::Kind::End, m_at);
        return std::move(m_tokens);
    }

private:
    [[nodiscard]] bool step() {
        const char c = m_text[m_at];
        if (c == '\n') {
            newLine();
            m_lineStart = ++m_at;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            ++m_at;
        } else if (c == '#') {
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        } else if (c == '\\' && m_text.substr(m_at + 1, 1) == "\n") {
            m_at += 2;
        } else if (const std::size_t quote = stringQuote(); quote != std::string_view::npos) {
            return string(quote);
        } else if (isLetter(c)) {
            word(PyToken::Kind::Name);
        } else if (isDigit(c) ||
                   (c == '.' && m_at + 1 < m_text.size() && isDigit(m_text[m_at + 1]))) {
            number();
        } else {
            op();
        }
        return true;
    }

    // Position of the opening quote when a string begins here, prefixes such as r or b included.
    [[nodiscard]] std::size_t stringQuote() const {
        std::size_t at = m_at;
        while (at < m_text.size() && at < m_at + 2 &&
               std::string_view("rRbBuUfF").find(m_text[at]) != std::string_view::npos) {
            ++at;
        }
        const bool quoted = at < m_text.size() && (m_text[at] == '"' || m_text[at] == '\'');
        return quoted ? at : std::string_view::npos;
    }

    [[nodiscard]] bool string(std::size_t quote) {
        const std::size_t begin = m_at;
        const char mark = m_text[quote];
        const std::string triple(3, mark);
        const bool isTriple = m_text.substr(quote, 3) == triple;
        std::size_t at = quote + (isTriple ? 3 : 1);
        for (; at < m_text.size(); ++at) {
            if (m_text[at] == '\\') {
                ++at;
            } else if (isTriple ? m_text.substr(at, 3) == triple : m_text[at] == mark) {
                m_at = at + (isTriple ? 3 : 1);
                add(PyToken::Kind::String, begin);
                return true;
            } else if (!isTriple && m_text[at] == '\n') {
                return false;
            }
        }
        return false;
    }

    void word(PyToken::Kind kind) {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (isLetter(m_text[m_at]) || isDigit(m_text[m_at]))) {
            ++m_at;
        }
        add(kind, begin);
    }

    void number() {
        const std::size_t begin = m_at;
        const auto isHex = m_text.substr(m_at, 2);
        const bool hex = isHex == "0x" || isHex == "0X";
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            const char before = m_at > begin ? m_text[m_at - 1] : '0';
            const bool sign = !hex && (c == '+' || c == '-') && (before == 'e' || before == 'E');
            if (!isLetter(c) && !isDigit(c) && c != '.' && !sign) {
                break;
            }
            ++m_at;
        }
        add(PyToken::Kind::Number, begin);
    }

    void op() {
        const std::size_t begin = m_at;
        const char c = m_text[m_at++];
        if (c == '(' || c == '[' || c == '{') {
            ++m_depth;
        } else if (c == ')' || c == ']' || c == '}') {
            m_depth -= m_depth > 0 ? 1 : 0;
        } else if (const auto pair = m_text.substr(begin, 2);
                   pair == "**" || pair == "//" || pair == "->" || pair == "==" || pair == ":=") {
            ++m_at;
        }
        add(PyToken::Kind::Operator, begin);
    }

    void newLine() {
        const bool wanted =
            m_depth == 0 && !m_tokens.empty() && m_tokens.back().kind != PyToken::Kind::NewLine;
        if (wanted) {
            add(PyToken::Kind::NewLine, m_at);
        }
    }

    void add(PyToken::Kind kind, std::size_t begin) {
        const std::size_t column = begin >= m_lineStart ? begin - m_lineStart : 0;
        m_tokens.push_back({kind, m_text.substr(begin, m_at - begin), begin, column});
        if (kind == PyToken::Kind::String) {
            const auto last = m_text.substr(begin, m_at - begin).rfind('\n');
            m_lineStart = last == std::string_view::npos ? m_lineStart : begin + last + 1;
        }
    }

    [[nodiscard]] std::ptrdiff_t line() const {
        return 1 +
               std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(m_at), '\n');
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_lineStart = 0;
    int m_depth = 0;
    std::vector<PyToken> m_tokens;
};

void appendEscape(std::string& out, char c) {
    switch (c) {
        case 'n':
            out += '\n';
            break;
        case 't':
            out += '\t';
            break;
        case 'r':
            out += '\r';
            break;
        case '\n':
            break;
        case '\\':
        case '\'':
        case '"':
            out += c;
            break;
        default:
            out += '\\';
            out += c;
    }
}

}  // namespace

Result<std::vector<PyToken>> pyTokens(std::string_view text) {
    return Lexer(text).run();
}

std::string pyStringValue(std::string_view token) {
    bool raw = false;
    while (!token.empty() && token.front() != '"' && token.front() != '\'') {
        raw = raw || token.front() == 'r' || token.front() == 'R';
        token.remove_prefix(1);
    }
    const bool triple = token.size() >= 6 && token[0] == token[1] && token[1] == token[2];
    const std::size_t quotes = triple ? 3 : 1;
    token = token.substr(quotes, token.size() - 2 * quotes);
    std::string out;
    out.reserve(token.size());
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] != '\\' || raw || i + 1 == token.size()) {
            out += token[i];
        } else {
            appendEscape(out, token[++i]);
        }
    }
    return out;
}

}  // namespace kinetoscope::metrics
