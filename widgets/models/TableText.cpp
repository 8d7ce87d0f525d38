// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/TableText.h"

#include <QStringList>

namespace kinetoscope {

namespace {

QString csvField(const QString& text) {
    const bool quoted = text.contains(QLatin1Char(',')) || text.contains(QLatin1Char('"')) ||
                        text.contains(QLatin1Char('\n')) || text.contains(QLatin1Char('\r'));
    if (!quoted) {
        return text;
    }
    return QLatin1Char('"') + QString(text).replace(QLatin1String("\""), QLatin1String("\"\"")) +
           QLatin1Char('"');
}

QString markdownField(const QString& text) {
    return QString(text)
        .replace(QLatin1Char('\\'), QLatin1String("\\\\"))
        .replace(QLatin1Char('|'), QLatin1String("\\|"))
        .replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString markdownLine(const QStringList& cells) {
    return QLatin1String("| ") + cells.join(QLatin1String(" | ")) + QLatin1String(" |\n");
}

}  // namespace

QString tableAsCsv(const ColumnTableModel& model) {
    QStringList cells;
    for (const TableColumn& column : model.columns()) {
        cells.append(csvField(column.key));
    }
    QString text = cells.join(QLatin1Char(',')) + QLatin1Char('\n');
    for (int row = 0; row < model.rowCount(); ++row) {
        cells.clear();
        for (int column = 0; column < model.columnCount(); ++column) {
            cells.append(csvField(model.exportText(row, column)));
        }
        text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return text;
}

QString tableAsMarkdown(const ColumnTableModel& model) {
    QStringList cells;
    QStringList rules;
    for (const TableColumn& column : model.columns()) {
        cells.append(markdownField(column.header));
        rules.append(column.alignment.testFlag(Qt::AlignRight) ? QStringLiteral("---:")
                                                               : QStringLiteral("---"));
    }
    QString text = markdownLine(cells) + markdownLine(rules);
    for (int row = 0; row < model.rowCount(); ++row) {
        cells.clear();
        for (int column = 0; column < model.columnCount(); ++column) {
            cells.append(markdownField(model.wholeText(row, column)));
        }
        text += markdownLine(cells);
    }
    return text;
}

}  // namespace kinetoscope
