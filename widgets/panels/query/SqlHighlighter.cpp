// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/query/SqlHighlighter.h"

#include <QRegularExpression>
#include <QSet>
#include <QTextCharFormat>

#include "core/query/sql/Functions.h"
#include "core/query/sql/Table.h"
#include "widgets/models/Text.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::panels {

namespace {

QSet<QString> tableNames() {
    QSet<QString> names;
    for (const query::sql::TableInfo& table : query::sql::allTables()) {
        names.insert(models::toText(table.name));
    }
    return names;
}

// Such a token extends to its end, or to that of the line.
const QRegularExpression& tokens() {
    static const QRegularExpression kTokens(
        QStringLiteral(R"((?<comment>--.*)|(?<text>'(?:[^']|'')*'?)|(?<name>"[^"]*"?))"
                       R"(|(?<number>\b\d[\w.]*)|(?<word>[A-Za-z_]\w*))"));
    return kTokens;
}

}  // namespace

SqlHighlighter::SqlHighlighter(QTextDocument& document) : QSyntaxHighlighter(&document) {}

const QStringList& SqlHighlighter::keywords() {
    static const QStringList kKeywords{
        "ALL",    "AND",   "AS",       "ASC",       "BETWEEN",   "BY",     "CASE",      "CAST",
        "CREATE", "DESC",  "DISTINCT", "DROP",      "ELSE",      "END",    "EXCEPT",    "EXISTS",
        "FROM",   "GLOB",  "GROUP",    "HAVING",    "IN",        "INNER",  "INTERSECT", "IS",
        "JOIN",   "LEFT",  "LIKE",     "LIMIT",     "NOT",       "NULL",   "OFFSET",    "ON",
        "OR",     "ORDER", "OVER",     "PARTITION", "RECURSIVE", "REGEXP", "SELECT",    "TEMP",
        "THEN",   "UNION", "USING",    "VALUES",    "VIEW",      "WHEN",   "WHERE",     "WITH"};
    return kKeywords;
}

const QStringList& SqlHighlighter::names() {
    static const QStringList kNames = [] {
        QSet<QString> names = tableNames();
        for (const query::sql::TableInfo& table : query::sql::allTables()) {
            for (const query::sql::Column& column : table.columns) {
                names.insert(models::toText(column.name));
            }
        }
        for (const query::sql::FunctionInfo& function : query::sql::allFunctions()) {
            names.insert(models::toText(function.name));
        }
        for (const char* name :
             {"rank", "count", "sum", "avg", "min", "max", "round", "row_number"}) {
            names.insert(QString::fromLatin1(name));
        }
        return QStringList(names.values());
    }();
    return kNames;
}

void SqlHighlighter::highlightBlock(const QString& text) {
    static const QSet<QString> kTables = tableNames();
    const style::Theme& theme = style::Theme::current();
    QTextCharFormat keyword;
    keyword.setFontWeight(QFont::Bold);
    QTextCharFormat table;
    table.setForeground(theme.accent());
    QTextCharFormat literal;
    literal.setForeground(theme.good());
    QTextCharFormat comment;
    comment.setForeground(theme.mutedText());
    for (auto found = tokens().globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch token = found.next();
        const auto mark = [&](const QTextCharFormat& format) {
            setFormat(static_cast<int>(token.capturedStart()),
                      static_cast<int>(token.capturedLength()), format);
        };
        const QString word = token.captured(QStringLiteral("word"));
        if (keywords().contains(word.toUpper())) {
            mark(keyword);
        } else if (kTables.contains(word.toLower())) {
            mark(table);
        } else if (token.hasCaptured(QStringLiteral("comment"))) {
            mark(comment);
        } else if (token.hasCaptured(QStringLiteral("text")) ||
                   token.hasCaptured(QStringLiteral("number"))) {
            mark(literal);
        }
    }
}

}  // namespace kinetoscope::panels
