// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calls/TreeText.h"

#include <QTreeView>
#include <string>
#include <vector>

#include "core/text/Csv.h"
#include "core/text/Markdown.h"
#include "widgets/calls/CallTreeModel.h"
#include "widgets/models/Text.h"

namespace kinetoscope::calls {

namespace {

constexpr const char* kRule = "---";
constexpr const char* kRuleOfNumbers = "---:";
constexpr const char* kIndent = "\u00a0\u00a0";

std::string plain(double value) {
    return models::plainNumber(value).toStdString();
}

std::vector<std::string> csvCells(const CallTreeModel& model, calltree::NodeId id, int level) {
    const calltree::CallNode& node = model.tree()->node(id);
    const auto percent = [&](TimeNs part) {
        return model.whole() > 0
                   ? plain(100.0 * static_cast<double>(part) / static_cast<double>(model.whole()))
                   : std::string();
    };
    return {std::to_string(level),      text::csvText(model.nameOf(id).toStdString()),
            std::to_string(node.total), percent(node.total),
            std::to_string(node.self),  percent(node.self),
            std::to_string(node.count)};
}

}  // namespace

QString treeAsCsv(const CallTreeModel& model) {
    const std::vector<std::string> header{"level",   "name",         "total_ns", "total_percent",
                                          "self_ns", "self_percent", "calls"};
    std::string text = text::csvLine(header);
    struct Next {
        QModelIndex parent;
        int row = 0;
    };
    std::vector<Next> open{{QModelIndex(), 0}};
    while (!open.empty()) {
        Next& next = open.back();
        if (next.row >= model.rowCount(next.parent)) {
            open.pop_back();
            continue;
        }
        const QModelIndex row = model.index(next.row++, CallTreeModel::Name, next.parent);
        text +=
            text::csvLine(csvCells(model, model.nodeOf(row), static_cast<int>(open.size()) - 1));
        open.push_back({row, 0});
    }
    return QString::fromStdString(text);
}

QString treeAsMarkdown(const QTreeView& view) {
    const QAbstractItemModel& model = *view.model();
    std::vector<int> columns;
    std::vector<std::string> header;
    std::vector<std::string> rules;
    for (int column = 0; column < model.columnCount(); ++column) {
        if (!view.isColumnHidden(column)) {
            columns.push_back(column);
            header.push_back(text::markdownText(
                model.headerData(column, Qt::Horizontal).toString().toStdString()));
            rules.emplace_back(column == CallTreeModel::Name ? kRule : kRuleOfNumbers);
        }
    }
    std::string text = text::markdownRow(header) + text::markdownRow(rules);
    for (QModelIndex row = model.index(0, 0); row.isValid(); row = view.indexBelow(row)) {
        std::vector<std::string> cells;
        cells.reserve(columns.size());
        for (const int column : columns) {
            cells.push_back(
                text::markdownText(row.siblingAtColumn(column).data().toString().toStdString()));
        }
        std::string indent;
        for (QModelIndex above = row.parent(); above.isValid(); above = above.parent()) {
            indent += kIndent;
        }
        cells.front().insert(0, indent);
        text += text::markdownRow(cells);
    }
    return QString::fromStdString(text);
}

}  // namespace kinetoscope::calls
