// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/TableText.h"

#include <QStringList>
#include <string>
#include <vector>

#include "core/text/Csv.h"
#include "core/text/Markdown.h"

namespace kinetoscope::models {

namespace {

// A cell that is a number stays one, whatever its sign.
std::string csvField(const QString& text) {
    bool number = false;
    (void)text.toDouble(&number);
    return number ? text.toStdString() : text::csvText(text.toStdString());
}

QString markdownField(const QString& text) {
    return QString::fromStdString(text::markdownText(text.toStdString()));
}

QString markdownLine(const QStringList& cells) {
    return QLatin1String("| ") + cells.join(QLatin1String(" | ")) + QLatin1String(" |\n");
}

}  // namespace

QString tableAsCsv(const ColumnTableModel& model) {
    std::vector<std::string> cells;
    for (const TableColumn& column : model.columns()) {
        cells.push_back(csvField(column.key));
    }
    std::string text = text::csvLine(cells);
    for (int row = 0; row < model.rowCount(); ++row) {
        cells.clear();
        for (int column = 0; column < model.columnCount(); ++column) {
            cells.push_back(csvField(model.exportText(row, column)));
        }
        text += text::csvLine(cells);
    }
    return QString::fromStdString(text);
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

}  // namespace kinetoscope::models
