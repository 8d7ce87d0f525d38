// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/bench/ModuleBenchPanel.h"

#include <QAction>
#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QVBoxLayout>

#include "core/bench/results/ModuleRunners.h"
#include "core/bench/results/ResultStore.h"
#include "widgets/models/results/ResultTables.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

namespace {

constexpr int kModuleBenchTableWidth = 920;
constexpr int kPlotsWidth = 580;

enum GroupItem { AllItem, RnnsItem, VariableItem, CnnsItem, FileItem };

// Beside the folder of saved results: a folder for the traces of one run of this window.
QString freshTraceFolder() {
    const QDir results(models::toText(bench::results::ResultStore::defaultFolder()));
    const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    return QDir::cleanPath(results.filePath(
        QStringLiteral("../traces/%1-%2").arg(stamp).arg(QCoreApplication::applicationPid())));
}

plots::Bar barOf(const bench::results::BenchItem& group, const bench::results::BenchItem& runner,
                 const char* direction) {
    plots::Bar bar;
    bar.label = models::toText(runner.name);
    const bench::results::BenchSeries* series = runner.find(direction);
    if (series == nullptr) {
        bar.toolTip = runner.reason.empty()
                          ? bar.label
                          : bar.label + QLatin1Char('\n') + models::toText(runner.reason);
        return bar;
    }
    constexpr double kNsPerMs = 1e6;
    const stats::SampleSummary summary = series->summary();
    const double median = summary.median / kNsPerMs;
    const double low = summary.low / kNsPerMs;
    const double high = summary.high / kNsPerMs;
    const std::string verdict = bench::results::runnerVerdict(group, runner, direction);
    bar.value = median;
    bar.below = median - low;
    bar.above = high - median;
    bar.marked = verdict == "FASTER";
    const auto number = [](double value) { return QString::number(value, 'f', 3); };
    bar.toolTip =
        ModuleBenchPanel::tr("%1\nmedian %2 ms, 95 % interval %3 to %4, %5 loops%6")
            .arg(bar.label, number(median), number(low), number(high),
                 QString::number(summary.count),
                 verdict.empty() ? QString() : QLatin1Char('\n') + models::toText(verdict));
    return bar;
}

}  // namespace

ModuleBenchPanel::ModuleBenchPanel(const PanelContext& context, QWidget* parent)
    : BenchBase(context, bench::results::ResultKind::Modules, parent),
      m_settings(context.settings),
      m_model(models::moduleTable(m_stream.document())),
      m_table(new DataTable(m_model)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    addOptions();
    layout->addWidget(sideBySide({m_table, kModuleBenchTableWidth}, {makePlots(), kPlotsWidth},
                                 GrowingPane::Left),
                      1);
    m_table->setObjectName(QStringLiteral("modules"));
    m_table->setLastColumnElides();
    m_table->setEmptyText(
        tr("Choose runners and press Run, or open a saved result, to see their times."));
    auto* open = new QAction(style::themedIcon(QStringLiteral("jump")), tr("Open its trace"), this);
    connect(open, &QAction::triggered, this, &ModuleBenchPanel::openTrace);
    m_table->addAction(open);
    connect(m_table, &QTableView::doubleClicked, this, &ModuleBenchPanel::openTrace);
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == m_model.columnOf("trace")) {
            openTrace();
        }
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ModuleBenchPanel::plot);
    connect(m_bar, &BenchBar::runRequested, this, &ModuleBenchPanel::run);
    connect(m_bar, &BenchBar::lineRead, this, &ModuleBenchPanel::takeLine);
    connect(m_bar, &BenchBar::ended, &m_model, &models::ResultModel::endRun);
    plot();
}

void ModuleBenchPanel::addOptions() {
    m_group = new QComboBox;
    m_group->setObjectName(QStringLiteral("group"));
    m_group->addItems(
        {tr("RNNs and CNNs"), tr("RNNs"), tr("RNNs, variable lengths"), tr("CNNs"), tr("a file…")});
    m_group->setToolTip(
        tr("What to measure: fastrnns runners, or your own TorchScript file (.pt) or AOTInductor "
           "package (.pt2)"));
    m_runner = new QComboBox;
    m_runner->setObjectName(QStringLiteral("runner"));
    m_runner->setToolTip(tr("One runner, or the whole group"));
    m_input = new QLineEdit;
    m_input->setObjectName(QStringLiteral("input"));
    m_input->setPlaceholderText(QStringLiteral("T([32, 256], f32)"));
    m_input->setToolTip(tr("The file's inputs, separated by semicolons"));
    m_loops = new QSpinBox;
    m_loops->setObjectName(QStringLiteral("loops"));
    m_loops->setRange(1, 1000000);
    m_loops->setValue(100);
    m_loops->setSuffix(tr(" loops"));
    m_profile = new QCheckBox(tr("Record"));
    m_profile->setObjectName(QStringLiteral("profile"));
    m_profile->setToolTip(tr("Also record a trace of each"));
    m_trace = new QPushButton(style::themedIcon(QStringLiteral("jump")), tr("Open its trace"));
    m_trace->setObjectName(QStringLiteral("openTrace"));
    m_bar->addOption({}, m_group);
    m_bar->addOption({}, m_runner);
    m_bar->addOption({}, m_input);
    m_bar->addDevice();
    m_bar->addOption({}, m_loops);
    m_bar->addOption({}, m_profile);
    m_bar->addTool(m_trace);
    connect(m_trace, &QPushButton::clicked, this, &ModuleBenchPanel::openTrace);
    connect(m_group, &QComboBox::activated, this, &ModuleBenchPanel::chooseGroup);
    chooseGroup();
}

QWidget* ModuleBenchPanel::makePlots() {
    m_forward = new plots::BarPlot(plots::BarPlot::Form::Lying);
    m_backward = new plots::BarPlot(plots::BarPlot::Form::Lying);
    m_forward->setObjectName(QStringLiteral("forward"));
    m_backward->setObjectName(QStringLiteral("backward"));
    m_forward->setEmptyText(tr("Forward times appear here."));
    m_backward->setEmptyText(tr("Backward times appear here."));
    for (plots::BarPlot* one : {m_forward, m_backward}) {
        connect(one, &plots::BarPlot::barClicked, this, [this](int index) {
            const int row = m_table->currentIndex().row();
            const auto* group = m_model.row(row < 0 ? 0 : row).group;
            m_table->selectRow(m_model.rowOf({group, static_cast<std::size_t>(index)}));
        });
    }
    auto* plots =
        sideBySide({m_forward, kPlotsWidth / 2}, {m_backward, kPlotsWidth / 2}, GrowingPane::Left);
    plots->setStretchFactor(1, 1);
    return plots;
}

void ModuleBenchPanel::chooseGroup() {
    const int group = m_group->currentIndex();
    m_runner->clear();
    m_runner->addItem(tr("all runners"));
    const auto offer = [&](const auto& names) {
        for (const char* name : names) {
            m_runner->addItem(QString::fromLatin1(name));
        }
    };
    if (group == RnnsItem) {
        offer(bench::results::kRnnRunners);
    } else if (group == CnnsItem) {
        offer(bench::results::kCnnRunners);
    }
    m_runner->setVisible(m_runner->count() > 1);
    m_input->setVisible(group == FileItem);
    if (group == FileItem) {
        chooseFile();
    }
}

void ModuleBenchPanel::chooseFile() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Choose a module"), m_settings.lastFolder.value(),
                                     tr("TorchScript and AOTInductor (*.pt *.pt2);;All files (*)"));
    if (!path.isEmpty()) {
        m_file = path;
        m_settings.lastFolder.set(QFileInfo(path).absolutePath());
        m_group->setItemText(FileItem, QFileInfo(path).fileName());
    }
}

QStringList ModuleBenchPanel::runnerArguments() const {
    const QString runner = m_runner->currentIndex() > 0 ? m_runner->currentText() : QString();
    const auto group = [&](const char* name, const char* option) {
        QStringList arguments{QStringLiteral("--group"), QString::fromLatin1(name)};
        return runner.isEmpty() ? arguments
                                : arguments + QStringList{QString::fromLatin1(option), runner};
    };
    switch (m_group->currentIndex()) {
        case RnnsItem:
            return group("rnns", "--rnns");
        case CnnsItem:
            return group("cnns", "--cnns");
        case VariableItem:
            return {QStringLiteral("--variable-lstms"), QStringLiteral("--group")};
        case FileItem: {
            QStringList arguments{m_file};
            for (const QString& input : m_input->text().split(u';', Qt::SkipEmptyParts)) {
                arguments << QStringLiteral("--input") << input.trimmed();
            }
            return arguments;
        }
        default:
            return {};
    }
}

void ModuleBenchPanel::run() {
    if (m_group->currentIndex() == FileItem && m_file.isEmpty()) {
        m_bar->fail(tr("Choose a .pt or .pt2 file first."));
        return;
    }
    QStringList arguments = m_bar->deviceArguments();
    arguments << QStringLiteral("--nloops") << QString::number(m_loops->value());
    if (m_profile->isChecked()) {
        arguments << QStringLiteral("--profile") << QStringLiteral("--trace-folder")
                  << freshTraceFolder();
    }
    m_bar->start(arguments + runnerArguments());
}

void ModuleBenchPanel::takeLine(const QByteArray& line) {
    const auto change = m_stream.take({line.constData(), static_cast<std::size_t>(line.size())});
    using Change = decltype(change);
    if (change == Change::None) {
        return;
    }
    if (change == Change::Plan) {
        showDocument();
    } else {
        m_model.setRunning(m_stream.running());
        m_model.refresh();
        plot();
    }
    m_bar->setProgress(m_stream.done(), m_model.allRowCount());
}

void ModuleBenchPanel::showDocument() {
    m_model.setTable(models::moduleTable(m_stream.document()));
    if (m_model.rowCount() > 0) {
        m_table->selectRow(0);
    }
    plot();
}

void ModuleBenchPanel::plot() {
    std::vector<plots::Bar> forward;
    std::vector<plots::Bar> backward;
    const int current = m_table->currentIndex().row();
    const int row = current < 0 && m_model.rowCount() > 0 ? 0 : current;
    QString title;
    if (row >= 0) {
        const bench::results::BenchItem& group = *m_model.row(row).group;
        title = models::toText(group.name);
        for (const bench::results::BenchItem& runner : group.parts) {
            forward.push_back(barOf(group, runner, bench::results::kDirections[0]));
            backward.push_back(barOf(group, runner, bench::results::kDirections[1]));
        }
    }
    m_forward->setBars(std::move(forward), tr("%1 forward, ms").arg(title));
    m_backward->setBars(std::move(backward), tr("%1 backward, ms").arg(title));
    m_trace->setEnabled(row >= 0 && m_model.row(row).item().profile.has_value());
    const bench::results::ResultDocument& document = m_stream.document();
    QStringList facts = this->facts();
    for (const std::string& note : document.notes) {
        facts << models::toText(note);
    }
    m_bar->setFacts(facts.join(QStringLiteral(" · ")));
}

void ModuleBenchPanel::openTrace() {
    const int row = m_table->currentIndex().row();
    if (row < 0 || !m_model.row(row).item().profile) {
        return;
    }
    const QString trace = models::toText(m_model.row(row).item().profile->trace);
    if (QFileInfo::exists(trace)) {
        m_session.openTrace(trace);
    } else {
        m_bar->fail(tr("%1 no longer exists").arg(trace));
    }
}

}  // namespace kinetoscope::panels
