// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/calltree/CallersView.h"

#include <QVBoxLayout>

#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

using calltree::kRoot;

namespace {

constexpr int kNamesWidth = 420;
constexpr int kCallersWidth = 420;
constexpr qsizetype kCallersViewMaxNameLength = 200;

QWidget* titled(style::ElidedLabel* title, QWidget* rows) {
    auto* pane = new QWidget;
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    title->setContentsMargins(10, 3, 10, 3);
    layout->addWidget(title);
    layout->addWidget(rows, 1);
    return pane;
}

}  // namespace

CallersView::CallersView(QWidget* parent)
    : QSplitter(parent),
      m_callersTitle(new style::ElidedLabel(QString())),
      m_calleesTitle(new style::ElidedLabel(QString())) {
    addWidget(&m_names.view());
    addWidget(titled(m_callersTitle, &m_callers.view()));
    addWidget(titled(m_calleesTitle, &m_callees.view()));
    setChildrenCollapsible(false);
    setSizes({kNamesWidth, kCallersWidth, kCallersWidth});
    m_names.view().setRootIsDecorated(false);
    m_callersTitle->setObjectName(QStringLiteral("callersTitle"));
    m_calleesTitle->setObjectName(QStringLiteral("calleesTitle"));
    for (CallRows* rows : this->rows()) {
        rows->view().setColumnHidden(calls::CallTreeModel::SelfShare, true);
        rows->view().setColumnHidden(calls::CallTreeModel::TotalShare, true);
    }
    connect(&m_names, &CallRows::currentChanged, this, [this] {
        if (const auto* node = m_names.current()) {
            emit nameChosen(node->name);
        }
    });
}

void CallersView::show(const std::shared_ptr<const trace::Trace>& trace, const TreeViews& views) {
    const TimeNs whole = views.of ? views.of->root().total : 0;
    m_names.show(trace, views.names, whole);
    m_callers.show(trace, views.callers, whole);
    m_callees.show(trace, views.callees, whole);
    showFocus(trace.get(), views);
}

void CallersView::showFocus(const trace::Trace* trace, const TreeViews& views) {
    QString name;
    if (views.names && views.focus) {
        const NameId focus = views.of->nameIn(*views.focus);
        name = style::shownText(views.names->text(*trace, focus), kCallersViewMaxNameLength);
        for (const calltree::NodeId node : views.names->children(kRoot)) {
            if (views.names->node(node).name == focus && m_names.view().current() != node) {
                m_names.view().goTo(node);
            }
        }
    }
    m_callersTitle->setText(name.isEmpty() ? tr("Callers") : tr("Callers of %1").arg(name));
    m_calleesTitle->setText(name.isEmpty() ? tr("Callees") : tr("What %1 calls").arg(name));
    for (CallRows* rows : {&m_callers, &m_callees}) {
        if (rows->model().rowCount() == 1) {
            rows->view().expand(rows->model().index(0, 0));
        }
    }
}

}  // namespace kinetoscope::panels
