// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/CompatSection.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>
#include <utility>

#include "core/text/Printable.h"
#include "widgets/models/Text.h"
#include "widgets/panels/CompatTables.h"
#include "widgets/panels/parts/FigureGrid.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

namespace {

constexpr int kMaxNameLetters = 200;

void copy(const QString& text) {
    QGuiApplication::clipboard()->setText(text);
}

QPushButton* makeButton(const char* name, const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(style::themedIcon(QStringLiteral("copy")), text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(toolTip);
    return button;
}

}  // namespace

CompatSection::CompatSection(session::CompatRunner& runner, QWidget* parent)
    : QWidget(parent),
      m_runner(runner),
      m_title(new QToolButton),
      m_body(new QWidget),
      m_wall(makeField("compatWall", tr("not measured"))),
      m_runs(makeField("compatRuns", QStringLiteral("1"))),
      m_name(makeField("compatName", QStringLiteral("None"))),
      m_problem(new style::MessageBar(style::MessageBar::Kind::Warning)),
      m_tables(new QWidget),
      m_line(new QLineEdit),
      m_copyLine(makeButton("compatCopyLine", tr("Copy line"),
                            tr("Copy the line for kscope report --tabulate"))),
      m_copy(makeButton("compatCopy", tr("Copy all"),
                        tr("Copy all tables and lines, as kscope report --compat prints them"))) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(7);
    layout->addWidget(makeHead());
    layout->addWidget(m_body);
    auto* column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(9);
    column->addLayout(makeFields());
    column->addWidget(m_problem);
    // A path has words of any length, which widen no panel.
    m_problem->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    column->addWidget(m_tables);
    column->addLayout(makeLine());
    m_body->hide();
    connect(m_copy, &QPushButton::clicked, this, [this] { copy(models::toText(m_shown->text)); });
    connect(m_copyLine, &QPushButton::clicked, this, [this] { copy(m_line->text()); });
    connect(&runner, &session::CompatRunner::changed, this, &CompatSection::refresh);
    show(nullptr);
    refresh();
}

QWidget* CompatSection::makeHead() {
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(0, 0, 0, 0);
    m_title->setObjectName(QStringLiteral("compatTitle"));
    m_title->setText(tr("Compat"));
    m_title->setToolTip(models::figureTip("compat"));
    m_title->setAutoRaise(true);
    m_title->setArrowType(Qt::RightArrow);
    m_title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QFont font = m_title->font();
    font.setWeight(QFont::DemiBold);
    m_title->setFont(font);
    connect(m_title, &QToolButton::clicked, this, [this] { unfold(m_body->isHidden()); });
    layout->addWidget(m_title);
    layout->addWidget(
        makeHeading(QString(), tr("PyTorch's own figures"), models::figureTip("compat")), 1);
    return head;
}

QLineEdit* CompatSection::makeField(const char* name, const QString& placeholder) {
    auto* field = new QLineEdit;
    field->setObjectName(QLatin1String(name));
    field->setPlaceholderText(placeholder);
    field->setMaxLength(kMaxNameLetters);
    connect(field, &QLineEdit::editingFinished, this, &CompatSection::enter);
    return field;
}

QLayout* CompatSection::makeFields() {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    const auto add = [grid](const QString& text, QLineEdit* field, const QString& toolTip) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        label->setToolTip(toolTip);
        field->setToolTip(toolTip);
        const int row = grid->rowCount();
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1);
    };
    add(tr("Wall time of one run, ms"), m_wall,
        tr("Measured without a profiler. Saved next to the trace."));
    add(tr("Runs in the trace"), m_runs, tr("All times are divided by this"));
    add(tr("Name"), m_name, tr("Benchmark name in the line for tabulate"));
    return grid;
}

QLayout* CompatSection::makeLine() {
    auto* column = new QVBoxLayout;
    column->setSpacing(7);
    m_line->setObjectName(QStringLiteral("compatLine"));
    m_line->setReadOnly(true);
    m_line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    column->addWidget(m_line);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_copyLine);
    buttons->addWidget(m_copy);
    column->addLayout(buttons);
    return column;
}

void CompatSection::unfold(bool open) {
    m_title->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_body->setVisible(open);
    m_runner.setWanted(open);
    emit contentsChanged();
}

// Nothing, and a line with the reason, if a field does not contain a number.
std::optional<sidecar::EnteredRun> CompatSection::written() {
    sidecar::EnteredRun run;
    run.name = m_name->text().trimmed().toStdString();
    if (const QString text = m_wall->text().trimmed(); !text.isEmpty()) {
        run.wallMs = text.toDouble();
        if (!(*run.wallMs >= analysis::kMinWallMs && *run.wallMs <= analysis::kMaxWallMs)) {
            say(tr("'%1' is not a number of milliseconds; write it like 0.327").arg(text));
            return std::nullopt;
        }
    }
    if (const QString text = m_runs->text().trimmed(); !text.isEmpty()) {
        run.runs = text.toULongLong();
        if (*run.runs < 1 || *run.runs > analysis::kMaxRuns) {
            say(tr("'%1' is not a number of runs; write it like 100").arg(text));
            return std::nullopt;
        }
    }
    return run;
}

void CompatSection::enter() {
    const bool typed = m_wall->isModified() || m_runs->isModified() || m_name->isModified();
    if (!m_shown || !typed) {
        return;
    }
    if (const auto run = written()) {
        for (QLineEdit* field : {m_wall, m_runs, m_name}) {
            field->setModified(false);
        }
        say({});
        m_runner.enter(*run);
    }
}

void CompatSection::say(const QString& problem) {
    m_problem->clear();
    if (!problem.isEmpty()) {
        m_problem->addMessage(problem);
    }
}

void CompatSection::refresh() {
    const bool same = m_runner.figures() == m_shown;
    if (same && m_runner.problem() == m_told) {
        return;
    }
    if (!same) {
        show(m_runner.figures());
    }
    m_told = m_runner.problem();
    say(m_told);
}

void CompatSection::show(std::shared_ptr<const session::CompatFigures> figures) {
    m_shown = std::move(figures);
    const sidecar::EnteredRun entered = m_shown ? m_shown->entered : sidecar::EnteredRun();
    setField(m_wall, entered.wallMs
                         ? QString::number(*entered.wallMs, 'g', QLocale::FloatingPointShortest)
                         : QString());
    setField(m_runs, entered.runs ? QString::number(*entered.runs) : QString());
    setField(m_name, models::toText(entered.name));
    m_line->setText(m_shown ? models::toText(text::printable(m_shown->report.tabulateLine))
                            : QString());
    m_line->setCursorPosition(0);
    m_copyLine->setEnabled(m_shown != nullptr);
    m_copy->setEnabled(m_shown != nullptr);
    QWidget* tables = m_shown ? static_cast<QWidget*>(new CompatTables(m_shown->report))
                              : makeHeading(QString(), tr("calculating…"));
    delete m_body->layout()->replaceWidget(m_tables, tables);
    delete std::exchange(m_tables, tables);
    tables->show();  // its width counts from now on
    emit contentsChanged();
}

// What is being typed stays, but not where another trace is shown.
void CompatSection::setField(QLineEdit* field, const QString& text) {
    if (!m_shown || !field->isModified()) {
        field->setText(text);
    }
    field->setEnabled(m_shown != nullptr);
}

}  // namespace kinetoscope::panels
