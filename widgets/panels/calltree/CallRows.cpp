// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/calltree/CallRows.h"

#include <QAction>

#include "widgets/panels/parts/CellDelegate.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

CallRows::CallRows(const char* name, QObject* parent)
    : QObject(parent), m_view(new calls::CallTreeView(m_model)) {
    m_view->setObjectName(QString::fromLatin1(name));
    m_view->setItemDelegate(new CellDelegate(m_view));
    auto* longest =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to the longest"), m_view);
    connect(longest, &QAction::triggered, this, &CallRows::goToLongest);
    auto* callers = new QAction(tr("Callers and callees"), m_view);
    connect(callers, &QAction::triggered, this, [this] {
        if (const auto* node = current()) {
            emit callersWanted(node->name);
        }
    });
    m_view->addActions({longest, callers});
    connect(m_view, &QTreeView::doubleClicked, this, &CallRows::goToLongest);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CallRows::currentChanged);
}

void CallRows::show(const std::shared_ptr<const trace::Trace>& trace, const TreeViews::Tree& tree,
                    TimeNs whole) {
    if (m_model.tree() != tree) {
        m_view->setTree(trace, tree, whole);
    }
}

const calltree::CallNode* CallRows::current() const {
    const calltree::NodeId node = m_view->current();
    return node == calltree::kRoot ? nullptr : &m_model.tree()->node(node);
}

void CallRows::goToLongest() {
    if (const auto* node = current()) {
        emit longestWanted(node->longest);
    }
}

}  // namespace kinetoscope::panels
