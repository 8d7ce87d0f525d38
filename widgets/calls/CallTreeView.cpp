// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calls/CallTreeView.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include "core/calltree/TreeViews.h"
#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/calls/TreeText.h"
#include "widgets/style/Icons.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::calls {

using calltree::CallNode;
using calltree::kRoot;
using calltree::NodeId;

namespace {

constexpr int kCellPadding = 18;
constexpr int kHeaderRoom = 30;  // padding and the sort arrow
constexpr int kShareWidth = 128;
constexpr int kMinName = 160;
constexpr std::size_t kMaxOpenedMatches = 200;
constexpr int kMaxOpenedLevels = 24;

}  // namespace

CallTreeView::CallTreeView(CallTreeModel& model, QWidget* parent)
    : QTreeView(parent), m_model(model) {
    setModel(&model);
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setExpandsOnDoubleClick(false);
    setMouseTracking(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setIndentation(14);
    header()->setStretchLastSection(false);
    header()->setSortIndicatorClearable(true);
    header()->setSortIndicator(-1, Qt::DescendingOrder);
    setSortingEnabled(true);
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (!m_restoring) {
            m_open.insert(m_model.nodeOf(index));
        }
    });
    connect(this, &QTreeView::collapsed, this, [this](const QModelIndex& index) {
        if (!m_restoring) {
            m_open.remove(m_model.nodeOf(index));
        }
    });
}

void CallTreeView::setTree(std::shared_ptr<const trace::Trace> trace,
                           std::shared_ptr<const calltree::CallTree> tree, TimeNs whole) {
    const auto before = m_model.tree();
    const bool follows = before && tree && trace == m_trace;
    NodeId chosen = kRoot;
    QSet<NodeId> open;
    if (follows) {
        const auto there = [&](NodeId node) {
            const NodeId found = calltree::samePath(*before, node, *tree);
            return found == calltree::kNoNode ? kRoot : found;
        };
        chosen = there(current());
        for (const NodeId node : std::as_const(m_open)) {
            open.insert(there(node));
        }
        open.remove(kRoot);
    }
    m_trace = trace;
    m_open = open;
    m_model.setTree(std::move(trace), std::move(tree), whole);
    if (m_open.isEmpty()) {
        openLargest();
    }
    fitColumns();
    restore(chosen);
}

void CallTreeView::setFilter(const QString& text) {
    const NodeId chosen = current();
    m_model.setFilter(text);
    restore(chosen);
}

void CallTreeView::setEmptyText(const QString& text) {
    m_emptyText = text;
    viewport()->update();
}

NodeId CallTreeView::current() const {
    return m_model.nodeOf(currentIndex());
}

void CallTreeView::restore(NodeId current) {
    m_restoring = true;
    for (const NodeId node : std::as_const(m_open)) {
        if (const QModelIndex index = m_model.indexOf(node); index.isValid()) {
            setExpanded(index, true);
        }
    }
    if (!m_model.filter().isEmpty()) {
        for (const NodeId node : m_model.matches(kMaxOpenedMatches)) {
            openWayTo(node);
        }
    }
    if (const QModelIndex index = m_model.indexOf(current); index.isValid()) {
        openWayTo(current);
        setCurrentIndex(index);
    }
    m_restoring = false;
}

void CallTreeView::openWayTo(NodeId node) {
    for (QModelIndex above = m_model.indexOf(node).parent(); above.isValid();
         above = above.parent()) {
        setExpanded(above, true);
    }
}

// Down to where the time divides.
void CallTreeView::openLargest() {
    const auto& tree = m_model.tree();
    NodeId node = kRoot;
    for (int level = 0; tree && level < kMaxOpenedLevels; ++level) {
        const CallNode& one = tree->node(node);
        if (one.childCount == 0 || tree->node(one.firstChild).total * 2 < one.total) {
            return;
        }
        node = one.firstChild;
        m_open.insert(node);
    }
}

void CallTreeView::goTo(NodeId node) {
    if (const QModelIndex index = m_model.indexOf(node); index.isValid()) {
        openWayTo(node);
        setCurrentIndex(index);
        scrollTo(index);
    }
}

void CallTreeView::copyName() const {
    if (current() != kRoot) {
        QGuiApplication::clipboard()->setText(m_model.nameOf(current()));
    }
}

// Numbers get the room that the largest needs, the name what is left.
void CallTreeView::fitColumns() {
    const auto width = [this](int column, const QString& widest) {
        const QString title =
            m_model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        return qMax(fontMetrics().horizontalAdvance(title) + kHeaderRoom,
                    fontMetrics().horizontalAdvance(widest) + kCellPadding);
    };
    CallNode most;
    if (m_model.tree()) {
        for (const CallNode& node : m_model.tree()->nodes()) {
            most.total = std::max(most.total, node.total);
            most.self = std::max(most.self, std::abs(node.self));
            most.count = std::max(most.count, node.count);
        }
    }
    const auto time = [this](TimeNs ns) {
        return QString::fromStdString(text::inUnit(-ns, m_model.unit()));
    };
    int rest = 0;
    const auto set = [&](int column, int pixels) {
        setColumnWidth(column, pixels);
        rest += pixels;
    };
    set(CallTreeModel::Total, width(CallTreeModel::Total, time(most.total)));
    set(CallTreeModel::TotalShare, kShareWidth);
    set(CallTreeModel::Self, width(CallTreeModel::Self, time(most.self)));
    set(CallTreeModel::SelfShare,
        width(CallTreeModel::SelfShare, QStringLiteral("100.00 %")) + kShareWidth / 2);
    set(CallTreeModel::Calls,
        width(CallTreeModel::Calls,
              QString::fromStdString(text::formatCount(static_cast<std::int64_t>(most.count)))));
    setColumnWidth(CallTreeModel::Name, qMax(kMinName, viewport()->width() - rest));
}

void CallTreeView::resizeEvent(QResizeEvent* event) {
    QTreeView::resizeEvent(event);
    int rest = 0;
    for (int column = CallTreeModel::Total; column < CallTreeModel::ColumnCount; ++column) {
        rest += isColumnHidden(column) ? 0 : columnWidth(column);
    }
    setColumnWidth(CallTreeModel::Name, qMax(kMinName, viewport()->width() - rest));
}

void CallTreeView::showEvent(QShowEvent* event) {
    QTreeView::showEvent(event);
    fitColumns();
}

void CallTreeView::paintEvent(QPaintEvent* event) {
    QTreeView::paintEvent(event);
    if (m_model.rowCount() == 0 && !m_emptyText.isEmpty()) {
        QPainter painter(viewport());
        painter.setPen(style::Theme::current().mutedText());
        painter.drawText(viewport()->rect().adjusted(24, 8, -24, -8),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
    }
}

void CallTreeView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        copyName();
        return;
    }
    QTreeView::keyPressEvent(event);
}

void CallTreeView::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex cell = indexAt(event->pos());
    QMenu menu(this);
    if (cell.isValid()) {
        setCurrentIndex(cell);
        menu.addActions(actions());
        menu.addSeparator();
        menu.addAction(style::themedIcon(QStringLiteral("copy")), tr("Copy name"), this,
                       &CallTreeView::copyName);
        menu.addSeparator();
    }
    const auto copy = [this, &menu](const QString& text, const char* name, auto made) {
        menu.addAction(text, this, [made] { QGuiApplication::clipboard()->setText(made()); })
            ->setObjectName(QString::fromLatin1(name));
    };
    copy(tr("Copy table as CSV"), "copyCsv", [this] { return treeAsCsv(m_model); });
    copy(tr("Copy table as Markdown"), "copyMarkdown", [this] { return treeAsMarkdown(*this); });
    menu.exec(event->globalPos());
}

}  // namespace kinetoscope::calls
