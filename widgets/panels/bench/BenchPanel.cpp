// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/bench/BenchPanel.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "core/metrics/SourceFolder.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

namespace {

constexpr int kTableWidth = 760;
constexpr int kDetailsWidth = 460;
constexpr int kNameWidth = 240;
constexpr int kMinNameWidth = 150;
constexpr int kStateWidth = 260;
constexpr std::size_t kMaxSourceBytes = 8U << 20U;

QString sourceText(const std::string& path) {
    if (path.empty()) {
        return {};
    }
    const auto text = metrics::readSmallFile(path, kMaxSourceBytes);
    return models::toText(text ? *text : text.error().message);
}

}  // namespace

BenchPanel::BenchPanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      m_session(context.session),
      m_view(context.view),
      m_settings(context.settings),
      m_table(new DataTable(m_model)),
      m_errors(new style::MessageBar(style::MessageBar::Kind::Error)),
      m_folder(new style::ElidedLabel(QString())),
      m_method(new QComboBox),
      m_filter(new QLineEdit),
      m_runAll(new QPushButton(tr("Run all"))),
      m_runSelected(new QPushButton(tr("Run selected"))),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_progress(new QProgressBar),
      m_details(new QTabWidget),
      m_times(new plots::BarPlot(plots::BarPlot::Form::Lying)),
      m_source(new QPlainTextEdit),
      m_planning([this](Result<bench::plan::CachePlan> plan) { takePlan(std::move(plan)); }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeToolBar());
    layout->addWidget(m_errors);
    layout->addWidget(
        sideBySide({m_table, kTableWidth}, {makeDetails(), kDetailsWidth}, GrowingPane::Left), 1);
    m_table->setObjectName(QStringLiteral("benchKernels"));
    m_table->setWidest(models::BenchModel::Name, kNameWidth);
    m_table->setWidest(models::BenchModel::State, kStateWidth);
    m_table->setYielding(models::BenchModel::Name, kMinNameWidth);
    m_table->setFrozen(1);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEmptyText(
        tr("Choose a cache of Inductor or Triton to see its kernels. Their sources need the "
           "function get_args, which Inductor writes with config.benchmark_kernel = True."));
    auto* toTrace =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Go to it in the trace"), this);
    connect(toTrace, &QAction::triggered, this, &BenchPanel::showInTrace);
    m_table->addAction(toTrace);
    connect(m_table, &QTableView::doubleClicked, this, &BenchPanel::showInTrace);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showCurrent();
        refreshButtons();
    });
    connect(&m_session, &session::Session::cachesRequested, this, &BenchPanel::openCaches);
    connect(&m_view, &session::ViewState::kernelRequested, this, &BenchPanel::showKernel);
    connectRunner();
    refreshButtons();
}

QWidget* BenchPanel::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(10, 5, 10, 5);
    auto* choose = new QPushButton(style::themedIcon(QStringLiteral("open")), tr("Cache…"));
    choose->setToolTip(tr("Choose a cache folder of Inductor or Triton, or one that holds both"));
    connect(choose, &QPushButton::clicked, this, &BenchPanel::chooseCache);
    layout->addWidget(choose);
    layout->addWidget(m_folder, 1);
    m_folder->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(m_progress);
    layout->addWidget(m_cancel);
    layout->addWidget(m_method);
    layout->addWidget(m_runSelected);
    layout->addWidget(m_runAll);
    layout->addWidget(m_filter);
    for (const char* method :
         {"event-cold", "event-batch", "graph-cold", "cupti-cold", "do-bench", "benchmarker"}) {
        m_method->addItem(QString::fromLatin1(method));
    }
    m_method->setToolTip(tr("How a kernel is timed"));
    m_method->setObjectName(QStringLiteral("benchMethod"));
    m_method->setCurrentText(m_settings.benchMethod.value());
    connect(m_method, &QComboBox::currentTextChanged, this,
            [this](const QString& method) { m_settings.benchMethod.set(method); });
    m_runAll->setObjectName(QStringLiteral("runAll"));
    m_runSelected->setObjectName(QStringLiteral("runSelected"));
    m_cancel->setObjectName(QStringLiteral("cancelBench"));
    m_progress->setFormat(tr("%v of %m"));
    m_progress->setMaximumWidth(140);
    m_filter->setObjectName(QStringLiteral("benchFilter"));
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(180);
    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_model.setFilter(text); });
    connect(m_runAll, &QPushButton::clicked, this,
            [this] { run({}, static_cast<int>(m_model.allRowCount())); });
    connect(m_runSelected, &QPushButton::clicked, this, &BenchPanel::runSelected);
    connect(m_cancel, &QPushButton::clicked, &m_runner, &session::BenchRunner::cancel);
    return bar;
}

QWidget* BenchPanel::makeDetails() {
    m_source->setReadOnly(true);
    m_source->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_source->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_source->setFrameShape(QFrame::NoFrame);
    m_source->setPlaceholderText(tr("Select a kernel to see its source."));
    m_source->setObjectName(QStringLiteral("benchSource"));
    m_times->setObjectName(QStringLiteral("benchTimes"));
    m_times->setEmptyText(tr("Run a kernel to see the time of each configuration."));
    m_details->setDocumentMode(true);
    m_details->addTab(m_source, tr("Source"));
    m_details->addTab(m_times, tr("Configurations"));
    return m_details;
}

void BenchPanel::connectRunner() {
    connect(&m_runner, &session::BenchRunner::gpuKnown, this,
            [this](const bench::results::GpuDescription& gpu) {
                m_model.setCopyGbPerS(gpu.copyGbPerS);
            });
    connect(&m_runner, &session::BenchRunner::kernelStarted, this,
            [this](const QString& key, const QString& name) {
                const int row = m_model.rowOf(key.toStdString(), name.toStdString());
                if (row >= 0) {
                    m_model.setProgress(row, models::BenchModel::Progress::Running);
                }
            });
    connect(&m_runner, &session::BenchRunner::kernelFinished, this, &BenchPanel::takeResult);
    connect(&m_runner, &session::BenchRunner::finished, this, &BenchPanel::endRun);
}

void BenchPanel::chooseCache() {
    const QString folder = QFileDialog::getExistingDirectory(
        this, tr("Choose a cache of Inductor or Triton"), m_settings.benchCache.value());
    if (!folder.isEmpty()) {
        openCaches({folder});
    }
}

// Those that are asked for together are shown together, in place of those before.
void BenchPanel::openCaches(const QStringList& folders) {
    m_runner.cancel();
    m_errors->clear();
    m_table->setEmptyText(tr("Reading %1…").arg(folders.join(QLatin1String(", "))));
    emit frontWanted();
    m_asked = folders;
    std::vector<std::string> paths;
    for (const QString& folder : folders) {
        paths.push_back(folder.toStdString());
    }
    m_planning.start([paths](const std::stop_token&) { return bench::plan::planCaches(paths); });
}

void BenchPanel::takePlan(Result<bench::plan::CachePlan> plan) {
    m_paths = plan ? m_asked : QStringList();
    const QString asked = m_asked.join(QLatin1String(", "));
    const std::string error = plan ? std::string() : plan.error().message;
    m_model.setPlan(plan ? std::make_shared<const bench::plan::CachePlan>(*std::move(plan))
                         : nullptr);
    m_folder->setText(m_paths.join(QLatin1String(", ")));
    m_table->setEmptyText(tr("%1 holds no kernels.").arg(asked));
    if (!m_model.plan()) {
        m_errors->addMessage(models::toText(error));
    } else {
        m_settings.benchCache.set(m_asked.last());
        tellProblems(m_model.plan()->problems);
        tellReasons();
        m_table->selectRow(0);
    }
    showCurrent();
    refreshButtons();
}

// One line, however much of a cache is broken.
void BenchPanel::tellProblems(const std::vector<std::string>& problems) {
    if (!problems.empty()) {
        const auto more = static_cast<int>(problems.size()) - 1;
        m_errors->addMessage(
            more == 0 ? models::toText(problems.front())
                      : tr("%1 (and %2 more; kscope bench kernels --plan lists them)")
                            .arg(models::toText(problems.front()), QString::number(more)));
    }
}

// Why a kernel cannot be run stands beside its name; where none can, above the table too.
void BenchPanel::tellReasons() {
    const auto& kernels = m_model.plan()->kernels;
    const auto runs = [](const bench::plan::KernelPlan& kernel) { return kernel.runnable(); };
    if (!kernels.empty() && std::ranges::none_of(kernels, runs)) {
        const QString why = models::toText(kernels.front().reason);
        m_errors->addMessage(kernels.size() == 1
                                 ? tr("The only kernel cannot be run: %1").arg(why)
                                 : tr("None of the %1 kernels can be run; the first: %2")
                                       .arg(QString::number(kernels.size()), why));
    }
}

void BenchPanel::run(const QStringList& keys, int count) {
    m_errors->clear();
    m_progress->setRange(0, count);
    m_progress->setValue(0);
    m_runner.start({m_paths, m_method->currentText(), keys});
    refreshButtons();
}

void BenchPanel::runSelected() {
    QStringList keys;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        keys << models::toText(m_model.kernel(index.row()).key);
        m_model.setProgress(index.row(), models::BenchModel::Progress::Waiting);
    }
    run(keys, static_cast<int>(keys.size()));
}

void BenchPanel::takeResult(const bench::results::BenchItem& result) {
    m_model.setResult(result);
    m_progress->setValue(m_progress->value() + 1);
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid() && m_model.kernel(current.row()).key == result.key) {
        showTimes(current.row());
        m_details->setCurrentWidget(m_times);
    }
}

void BenchPanel::endRun(const QString& error) {
    m_model.setProgress(models::BenchModel::Progress::None);
    if (!error.isEmpty()) {
        m_errors->addMessage(error);
    }
    refreshButtons();
}

void BenchPanel::showCurrent() {
    const QModelIndex current = m_table->currentIndex();
    const bool there = current.isValid() && m_model.plan() != nullptr;
    const std::string path = there ? m_model.kernel(current.row()).sourcePath : std::string();
    if (m_sourcePath != models::toText(path)) {
        m_sourcePath = models::toText(path);
        m_source->setPlainText(sourceText(path));
        m_source->find(QStringLiteral("@triton_heuristics"));  // past the imports
        m_source->moveCursor(QTextCursor::StartOfLine);
        m_source->centerCursor();
    }
    showTimes(there ? current.row() : -1);
}

void BenchPanel::showTimes(int row) {
    const bench::results::BenchItem* result = row < 0 ? nullptr : m_model.result(row);
    std::vector<plots::Bar> bars;
    for (std::size_t i = 0; result != nullptr && i < result->series.size(); ++i) {
        constexpr double kUs = 1000.0;
        const bench::results::BenchSeries& config = result->series[i];
        const stats::SampleSummary summary = config.summary();
        const double time = config.timeNs() / kUs;
        const double error = config.minimum ? 0.0 : (summary.high - summary.low) / 2.0 / kUs;
        bars.push_back({models::shortConfig(config.name),
                        tr("%1\n%2 µs ± %3, %4 samples%5")
                            .arg(models::toText(config.name), QString::number(time, 'f', 2),
                                 QString::number(error, 'f', 2), QString::number(summary.count),
                                 config.winner ? tr("\nchosen by autotuning") : QString()),
                        time, i == result->best(), error, error});
    }
    m_times->setBars(std::move(bars), tr("µs"));
}

void BenchPanel::showInTrace() {
    const QModelIndex current = m_table->currentIndex();
    const auto& trace = m_view.trace();
    if (!current.isValid() || !trace) {
        return;
    }
    const std::string& name = m_model.kernel(current.row()).name;
    trace::SliceId longest = trace::kNoSlice;
    for (const trace::GpuOperation& operation : trace->gpuOperations()) {
        const bool better = longest == trace::kNoSlice ||
                            trace->duration(operation.slice) > trace->duration(longest);
        if (better && trace->name(operation.slice) == name) {
            longest = operation.slice;
        }
    }
    if (longest != trace::kNoSlice) {
        m_view.highlightName(trace->nameId(longest));
        m_view.select(longest);
        m_view.reveal(longest);
    }
}

void BenchPanel::showKernel(const QString& name) {
    const int row = m_model.rowOf({}, name.toStdString());
    if (row >= 0) {
        m_table->selectRow(row);
        m_table->scrollTo(m_model.index(row, 0));
        emit frontWanted();
    }
}

void BenchPanel::refreshButtons() {
    const bool running = m_runner.running();
    const bool kernels = m_model.allRowCount() > 0;
    m_runAll->setEnabled(kernels && !running);
    m_runSelected->setEnabled(kernels && !running && m_table->selectionModel()->hasSelection());
    m_method->setEnabled(!running);
    m_cancel->setVisible(running);
    m_progress->setVisible(running);
}

}  // namespace kinetoscope::panels
