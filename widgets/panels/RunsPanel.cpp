// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/RunsPanel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

RunsPanel::RunsPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_state(context.session.compare()),
      m_model(m_state),
      m_table(new DataTable(m_model)),
      m_per(new QComboBox),
      m_match(new QComboBox),
      m_compare(new QPushButton(tr("Compare"))),
      m_hint(new QLabel) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_table, 1);
    m_table->setObjectName(QStringLiteral("runs"));
    m_table->setEmptyText(tr(
        "Open at least two traces to compare them. Results of kscope bench are listed here too."));
    connect(&m_state, &session::CompareState::itemsChanged, this, &RunsPanel::tell);
    connect(&m_state, &session::CompareState::busyChanged, this, &RunsPanel::tell);
    connect(&m_state, &session::CompareState::compared, this, &RunsPanel::tell);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &RunsPanel::tell);
    tell();
}

QWidget* RunsPanel::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 5, 10, 5);
    addRole("markBaseline", tr("Baseline"), tr("Compare the candidates with the selected run"),
            session::CompareRole::Baseline, row);
    addRole("markCandidate", tr("Candidate"), tr("Compare the selected run with the baseline"),
            session::CompareRole::Candidate, row);
    addRole("markNone", tr("Neither"), tr("Leave the selected run out"), session::CompareRole::None,
            row);
    m_per->setObjectName(QStringLiteral("per"));
    m_per->addItems({tr("per run or step"), tr("per run"), tr("per step")});
    m_per->setToolTip(
        tr("Unit of counts and times. Per run or step: the whole run, or one step if the numbers "
           "of steps differ"));
    m_match->setObjectName(QStringLiteral("match"));
    m_match->addItems(
        {tr("match to operator"), tr("match normalised names"), tr("match exact names")});
    m_match->setToolTip(tr("How to match kernels of the two runs"));
    m_compare->setObjectName(QStringLiteral("compare"));
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setMinimumWidth(1);  // a long message is cut rather than widening the panel
    row->addSpacing(12);
    row->addWidget(m_per);
    row->addWidget(m_match);
    row->addWidget(m_compare);
    row->addWidget(m_hint);
    row->addStretch(1);
    connect(m_per, &QComboBox::activated, this, &RunsPanel::takeOptions);
    connect(m_match, &QComboBox::activated, this, &RunsPanel::takeOptions);
    connect(m_compare, &QPushButton::clicked, &m_state, &session::CompareState::compare);
    return bar;
}

void RunsPanel::addRole(const char* name, const QString& text, const QString& toolTip,
                        session::CompareRole role, QLayout* row) {
    auto* button = new QToolButton;
    button->setObjectName(QString::fromLatin1(name));
    button->setText(text);
    button->setToolTip(toolTip);
    row->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, role] { mark(role); });
    m_roles.append(button);
    auto* action = new QAction(text, this);
    connect(action, &QAction::triggered, this, [this, role] { mark(role); });
    m_table->addAction(action);
}

void RunsPanel::mark(session::CompareRole role) {
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid()) {
        const int row = current.row();
        m_state.setRole(m_model.item(row).id, role);
        m_table->selectRow(row);
    }
}

void RunsPanel::takeOptions() {
    std::optional<compare::Normalisation> per;
    if (m_per->currentIndex() > 0) {
        per =
            m_per->currentIndex() == 1 ? compare::Normalisation::Run : compare::Normalisation::Step;
    }
    const compare::MatchKind match = m_match->currentIndex() == 0   ? compare::MatchKind::Operator
                                     : m_match->currentIndex() == 1 ? compare::MatchKind::Normalised
                                                                    : compare::MatchKind::Exact;
    m_state.setOptions(per, match);
}

void RunsPanel::tell() {
    const QString obstacle = m_state.obstacle();
    m_compare->setEnabled(obstacle.isEmpty() && !m_state.busy());
    const QString hint = m_state.busy()               ? tr("Comparing…")
                         : !m_state.error().isEmpty() ? m_state.error()
                         : m_state.items().empty()    ? QString()
                                                      : obstacle;
    m_hint->setText(style::shownText(hint));
    m_hint->setToolTip(style::plainToolTip(hint));
    for (QToolButton* button : m_roles) {
        button->setEnabled(m_table->currentIndex().isValid());
    }
}

void RunsPanel::showEvent(QShowEvent* event) {
    // Benches may have saved results since.
    m_state.refreshItems();
    Panel::showEvent(event);
}

}  // namespace kinetoscope::panels
