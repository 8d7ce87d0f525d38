// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/bench/OperatorBenchPanel.h"

#include <QCompleter>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "core/bench/operators/OperatorInputs.h"
#include "widgets/panels/parts/Panes.h"

namespace kinetoscope::panels {

namespace {

constexpr int kViewsWidth = 640;
constexpr int kSamplesWidth = 600;
constexpr int kNameWidth = 260;
constexpr int kInputWidth = 200;

QComboBox* makeChoice(const char* name, const QStringList& items, const QString& toolTip) {
    auto* box = new QComboBox;
    box->setObjectName(QLatin1String(name));
    box->addItems(items);
    box->setToolTip(toolTip);
    return box;
}

}  // namespace

OperatorBenchPanel::OperatorBenchPanel(const PanelContext& context, QWidget* parent)
    : OperatorBenchBase(context, QStringLiteral("operators"), parent),
      m_views(new QTabWidget),
      m_chart(new plots::OperatorSpeedupChart),
      m_table(new DataTable(m_model)),
      m_title(new style::ElidedLabel(QString())),
      m_samples(new DataTable(m_sampleModel)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    addOptions();
    m_views->setDocumentMode(true);
    m_views->addTab(m_chart, tr("Speedups"));
    m_views->addTab(m_table, tr("Operators"));
    m_chart->setObjectName(QStringLiteral("operatorChart"));
    m_table->setObjectName(QStringLiteral("speedups"));
    m_table->setWidest(models::OperatorSpeedupModel::Name, kNameWidth);
    m_table->setLastColumnElides();
    m_table->setEmptyText(tr("Choose inputs and press Run, or open a saved result."));
    layout->addWidget(
        sideBySide({m_views, kViewsWidth}, {makeSamples(), kSamplesWidth}, GrowingPane::Left), 1);
    connect(m_bar, &TorchBenchBar::runRequested, this, &OperatorBenchPanel::run);
    connect(m_bar, &TorchBenchBar::lineRead, this, &OperatorBenchPanel::takeLine);
    connect(m_bar, &TorchBenchBar::ended, this, &OperatorBenchPanel::endRun);
    connect(m_chart, &plots::OperatorSpeedupChart::operatorClicked, this,
            &OperatorBenchPanel::select);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid()) {
                    select(static_cast<int>(m_model.sourceRow(current.row())));
                }
            });
}

const models::ColumnTableModel* OperatorBenchPanel::table() const {
    return m_samples->hasFocus() ? static_cast<const models::ColumnTableModel*>(&m_sampleModel)
                                 : &m_model;
}

void OperatorBenchPanel::addOptions() {
    m_suite = makeChoice(
        "suite",
        {QStringLiteral("torchbench"), QStringLiteral("huggingface"), QStringLiteral("timm")},
        tr("Recorded inputs"));
    m_operator = makeChoice("op", {QStringLiteral("all")},
                            tr("One overload, such as aten.add.Tensor, or all"));
    m_operator->setEditable(true);
    m_operator->setInsertPolicy(QComboBox::NoInsert);
    m_operator->setMaximumWidth(kNameWidth);
    m_operator->completer()->setFilterMode(Qt::MatchContains);
    m_operator->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_type = makeChoice("dtype",
                        {QStringLiteral("float32"), QStringLiteral("float16"),
                         QStringLiteral("bfloat16"), QStringLiteral("recorded")},
                        tr("Element type of floating tensors; recorded leaves all as it was"));
    m_most = new QSpinBox;
    m_most->setObjectName(QStringLiteral("maxSamples"));
    m_most->setRange(1, 10000);
    m_most->setValue(15);
    m_most->setPrefix(tr("≤ "));
    m_most->setSuffix(tr(" samples"));
    m_most->setToolTip(tr("Samples per operator at most"));
    m_accuracy = new QCheckBox(tr("Accuracy"));
    m_accuracy->setObjectName(QStringLiteral("accuracy"));
    m_accuracy->setToolTip(tr("Compare results with eager's; one repeat only"));
    m_bar->addOption({}, m_suite);
    m_bar->addOption({}, m_operator);
    m_bar->addOption({}, m_type);
    m_bar->addDevice();
    m_bar->addOption({}, m_most);
    m_bar->addOption({}, m_accuracy);
    connect(m_suite, &QComboBox::currentTextChanged, this, &OperatorBenchPanel::listOperators);
}

QWidget* OperatorBenchPanel::makeSamples() {
    auto* pane = new QWidget;
    auto* layout = new QVBoxLayout(pane);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_title->setObjectName(QStringLiteral("operatorTitle"));
    m_samples->setObjectName(QStringLiteral("samples"));
    m_samples->setWidest(models::OperatorSampleModel::Input, kInputWidth);
    m_samples->setLastColumnElides();
    m_samples->setEmptyText(tr("Click an operator to see its samples."));
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(10, 6, 10, 6);
    heading->addWidget(m_title);
    layout->addLayout(heading);
    layout->addWidget(m_samples, 1);
    return pane;
}

// The names in the suite, once somebody may want them.
void OperatorBenchPanel::listOperators() {
    if (m_suite->currentText() == m_listed) {
        return;
    }
    m_listed = m_suite->currentText();
    const QString chosen = m_operator->currentText();
    const auto text = bench::operators::operatorSuite(m_listed.toStdString());
    QStringList names;
    for (const QString& line :
         text ? models::toText(*text).split(QLatin1Char('\n')) : QStringList()) {
        if (line.startsWith(QLatin1String("Operator: "))) {
            names << line.mid(10).trimmed();
        }
    }
    names.sort();
    m_operator->clear();
    m_operator->addItem(QStringLiteral("all"));
    m_operator->addItems(names);
    m_operator->setEditText(chosen);
}

void OperatorBenchPanel::showEvent(QShowEvent* event) {
    listOperators();
    Panel::showEvent(event);
}

void OperatorBenchPanel::run() {
    QStringList arguments{QStringLiteral("--suite"),       m_suite->currentText(),
                          QStringLiteral("--op"),          m_operator->currentText().trimmed(),
                          QStringLiteral("--dtype"),       m_type->currentText(),
                          QStringLiteral("--max-samples"), QString::number(m_most->value())};
    arguments += m_bar->deviceArguments();
    if (m_accuracy->isChecked()) {
        arguments << QStringLiteral("--accuracy-checking");
    }
    m_bar->start(arguments);
}

void OperatorBenchPanel::takeLine(const QByteArray& line) {
    const auto change = m_stream.take({line.constData(), static_cast<std::size_t>(line.size())});
    using Change = decltype(change);
    if (change == Change::Plan) {
        showDocument();
    } else if (change == Change::Item) {
        const std::size_t index = m_stream.item();
        m_model.setRunning(m_stream.running());
        m_model.operatorChanged(index);
        m_chart->refill();
        if (static_cast<int>(index) == m_selected) {
            showSamples();
        }
    }
    m_bar->setProgress(m_stream.done(), m_stream.document().operators.size());
}

void OperatorBenchPanel::showDocument() {
    m_selected = -1;
    m_model.setDocument(&m_stream.document());
    m_chart->setDocument(&m_stream.document());
    m_sampleModel.setOperator(nullptr, nullptr);
    m_title->setText({});
    tellFacts();
    if (!m_stream.document().operators.empty()) {
        select(0);
    }
}

void OperatorBenchPanel::tellFacts() {
    const bench::results::OperatorDocument& document = m_stream.document();
    QStringList facts = this->facts();
    facts << models::toText(document.inputFile.empty() ? document.suite : document.inputFile)
          << models::toText(document.dtype);
    for (const auto& [name, reason] : document.unavailable) {
        facts << tr("no %1: %2").arg(models::toText(name), models::toText(reason));
    }
    if (!document.problems.empty()) {
        facts << tr("lines of the inputs left out: %1").arg(document.problems.size());
    }
    m_bar->setFacts(facts.join(QStringLiteral(" · ")));
}

void OperatorBenchPanel::select(int index) {
    if (index == m_selected) {
        return;
    }
    m_selected = index;
    m_chart->select(index);
    const bench::results::OperatorResult& result =
        m_stream.document().operators[static_cast<std::size_t>(index)];
    m_sampleModel.setOperator(&m_stream.document(), &result);
    const int row = m_model.shownRow(static_cast<std::uint32_t>(index));
    if (row >= 0 && m_table->currentIndex().row() != row) {
        m_table->selectRow(row);
    }
    showSamples();
}

void OperatorBenchPanel::showSamples() {
    const bench::results::OperatorResult& result =
        m_stream.document().operators[static_cast<std::size_t>(m_selected)];
    const auto number = [](double value) { return QString::number(value, 'f', 2); };
    QString title = models::toText(result.name);
    for (const std::string& name : models::candidatesOf(m_stream.document())) {
        if (const auto q = result.speedups(name)) {
            title +=
                tr("   %1 %2 (%3 – %4)")
                    .arg(models::toText(name), number((*q)[1]), number((*q)[0]), number((*q)[2]));
        }
    }
    m_title->setText(result.reason.empty()
                         ? title
                         : title + QStringLiteral("   ") + models::toText(result.reason));
    m_sampleModel.refresh();
}

void OperatorBenchPanel::endRun() {
    m_model.setRunning(std::nullopt);
}

}  // namespace kinetoscope::panels
