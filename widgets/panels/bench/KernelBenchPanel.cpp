// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/bench/KernelBenchPanel.h"

#include <QAction>
#include <QFileDialog>
#include <QFontDatabase>
#include <QVBoxLayout>
#include <algorithm>

#include "core/bench/run/KernelBench.h"
#include "widgets/models/results/ResultTables.h"
#include "widgets/panels/parts/Panes.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::panels {

namespace {

using bench::results::BenchItem;

constexpr int kKernelsWidth = 760;
constexpr int kKernelDetailsWidth = 460;
constexpr int kKernelNameWidth = 240;
constexpr int kMinKernelNameWidth = 150;
constexpr int kKernelStateWidth = 260;
constexpr int kKernelFilterWidth = 180;
constexpr std::size_t kMaxSourceBytes = 8U << 20U;

QString sourceText(const std::string& path) {
    if (path.empty()) {
        return {};
    }
    const auto text = metrics::readSmallFile(path, kMaxSourceBytes);
    return models::toText(text ? *text : text.error().message);
}

}  // namespace

KernelBenchPanel::KernelBenchPanel(const PanelContext& context, QWidget* parent)
    : BenchBase(context, bench::results::ResultKind::Kernels, parent),
      m_view(context.view),
      m_settings(context.settings),
      m_model(models::kernelTable(m_kernels)),
      m_table(new DataTable(m_model)),
      m_method(new QComboBox),
      m_filter(new QLineEdit),
      m_runSelected(new QPushButton(tr("Run selected"))),
      m_details(new QTabWidget),
      m_times(new plots::BarPlot(plots::BarPlot::Form::Lying)),
      m_source(new QPlainTextEdit),
      m_planning([this](Result<bench::plan::CachePlan> plan) { takePlan(std::move(plan)); }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    addOptions();
    layout->addWidget(sideBySide({m_table, kKernelsWidth}, {makeDetails(), kKernelDetailsWidth},
                                 GrowingPane::Left),
                      1);
    m_table->setObjectName(QStringLiteral("benchKernels"));
    m_table->setWidest(m_model.columnOf("name"), kKernelNameWidth);
    m_table->setWidest(m_model.columnOf("state"), kKernelStateWidth);
    m_table->setYielding(m_model.columnOf("name"), kMinKernelNameWidth);
    m_table->setFrozen(1);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEmptyText(
        tr("Choose an Inductor or Triton cache to see its kernels. Their sources must define "
           "get_args, which Inductor writes with config.benchmark_kernel = True."));
    auto* toTrace =
        new QAction(style::themedIcon(QStringLiteral("jump")), tr("Show in the trace"), this);
    connect(toTrace, &QAction::triggered, this, &KernelBenchPanel::showInTrace);
    m_table->addAction(toTrace);
    connect(m_table, &QTableView::doubleClicked, this, &KernelBenchPanel::showInTrace);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        showCurrent();
        refreshButtons();
    });
    connect(&m_session, &session::Session::cachesRequested, this, &KernelBenchPanel::openCaches);
    connect(&m_view, &session::ViewState::kernelRequested, this, &KernelBenchPanel::showKernel);
    connect(m_bar, &BenchBar::runRequested, this, [this] { run({}); });
    connect(m_bar, &BenchBar::lineRead, this, &KernelBenchPanel::takeLine);
    connect(m_bar, &BenchBar::ended, this, [this] {
        m_model.endRun();
        refreshButtons();
    });
    refreshButtons();
}

void KernelBenchPanel::addOptions() {
    auto* choose = new QPushButton(style::themedIcon(QStringLiteral("open")), tr("Cache…"));
    choose->setToolTip(tr("Choose an Inductor or Triton cache folder, or one that contains both"));
    connect(choose, &QPushButton::clicked, this, &KernelBenchPanel::chooseCache);
    for (const char* method :
         {"cupti-cold", "event-cold", "event-batch", "graph-cold", "do-bench", "benchmarker"}) {
        m_method->addItem(QString::fromLatin1(method));
    }
    m_method->setToolTip(tr("Timing method"));
    m_method->setObjectName(QStringLiteral("benchMethod"));
    m_method->setCurrentText(m_settings.benchMethod.value());
    connect(m_method, &QComboBox::currentTextChanged, this,
            [this](const QString& method) { m_settings.benchMethod.set(method); });
    m_runSelected->setObjectName(QStringLiteral("runSelected"));
    connect(m_runSelected, &QPushButton::clicked, this, &KernelBenchPanel::runSelected);
    m_filter->setObjectName(QStringLiteral("benchFilter"));
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(kKernelFilterWidth);
    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_model.setFilter(text); });
    m_bar->addOption({}, choose);
    m_bar->addOption({}, m_method);
    m_bar->addOption({}, m_runSelected);
    m_bar->addTool(m_filter);
}

QWidget* KernelBenchPanel::makeDetails() {
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

void KernelBenchPanel::chooseCache() {
    const QString folder = QFileDialog::getExistingDirectory(
        this, tr("Choose an Inductor or Triton cache"), m_settings.benchCache.value());
    if (!folder.isEmpty()) {
        openCaches({folder});
    }
}

// Kernels requested together are shown together and replace those before.
void KernelBenchPanel::openCaches(const QStringList& folders) {
    m_bar->stop();
    m_bar->clearErrors();
    m_table->setEmptyText(tr("Reading %1…").arg(folders.join(QLatin1String(", "))));
    emit frontWanted();
    m_requested = folders;
    std::vector<std::string> paths;
    for (const QString& folder : folders) {
        paths.push_back(folder.toStdString());
    }
    m_planning.start([paths](const std::stop_token&) { return bench::plan::planCaches(paths); });
}

void KernelBenchPanel::takePlan(Result<bench::plan::CachePlan> plan) {
    m_kernels = {};
    std::vector<std::size_t> configs;
    for (const bench::plan::KernelPlan& kernel :
         plan ? plan->kernels : std::vector<bench::plan::KernelPlan>()) {
        m_kernels.items.push_back(bench::run::resultWithoutRun(kernel, kernel.reason));
        configs.push_back(kernel.configs.size());
    }
    m_model.setTable(models::kernelTable(m_kernels, std::move(configs)));
    m_paths = plan ? m_requested : QStringList();
    m_bar->setFacts(m_paths.join(QLatin1String(", ")));
    m_table->setEmptyText(tr("%1 contains no kernels.").arg(m_requested.join(QLatin1String(", "))));
    if (!plan) {
        m_bar->fail(models::toText(plan.error().message));
    } else {
        m_settings.benchCache.set(m_requested.last());
        tellProblems(plan->problems);
        tellReasons();
        m_table->selectRow(0);
    }
    showCurrent();
    refreshButtons();
}

// One line, however much of a cache is broken.
void KernelBenchPanel::tellProblems(const std::vector<std::string>& problems) {
    if (!problems.empty()) {
        const auto more = static_cast<int>(problems.size()) - 1;
        m_bar->fail(more == 0 ? models::toText(problems.front())
                              : tr("%1 (and %2 more; kscope bench kernels --plan lists them)")
                                    .arg(models::toText(problems.front()), QString::number(more)));
    }
}

// Why a kernel cannot be run stands beside its name; where none can, above the table too.
void KernelBenchPanel::tellReasons() {
    const std::vector<BenchItem>& kernels = m_kernels.items;
    const auto runs = [](const BenchItem& kernel) { return kernel.reason.empty(); };
    if (!kernels.empty() && std::ranges::none_of(kernels, runs)) {
        const QString why = models::toText(kernels.front().reason);
        m_bar->fail(kernels.size() == 1 ? tr("The only kernel cannot run: %1").arg(why)
                                        : tr("None of the %1 kernels can run; the first: %2")
                                              .arg(QString::number(kernels.size()), why));
    }
}

void KernelBenchPanel::run(const QStringList& keys) {
    QStringList arguments{QStringLiteral("--method"), m_method->currentText()};
    for (const QString& key : keys) {
        arguments << QStringLiteral("--key") << key;
    }
    m_bar->start(arguments << QStringLiteral("--") << m_paths);
}

void KernelBenchPanel::runSelected() {
    QStringList keys;
    std::set<std::size_t> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        keys << models::toText(m_model.row(index.row()).item().key);
        rows.insert(m_model.sourceRow(index.row()));
    }
    m_model.setWaiting(std::move(rows));
    run(keys);
}

void KernelBenchPanel::takeLine(const QByteArray& line) {
    using Change = bench::results::ResultStream::Change;
    const Change change = m_stream.take({line.constData(), static_cast<std::size_t>(line.size())});
    const bench::results::ResultDocument& run = m_stream.document();
    if (change == Change::Device) {
        m_kernels.gpu = run.gpu;
    } else if (change == Change::Item) {
        takeKernel(run.items[m_stream.item()]);
    }
    m_bar->setProgress(m_stream.done(), run.items.size());
}

// A run knows the kernels that were chosen; the table, all of the caches.
void KernelBenchPanel::takeKernel(const BenchItem& kernel) {
    const auto found = std::ranges::find_if(m_kernels.items, [&](const BenchItem& one) {
        return one.key == kernel.key && one.name == kernel.name;
    });
    if (found == m_kernels.items.end()) {
        return;
    }
    const auto row = static_cast<std::size_t>(found - m_kernels.items.begin());
    if (m_stream.running()) {
        m_model.setRunning(row);
        return;
    }
    const std::string source = found->source;
    *found = kernel;
    found->source = source;
    m_model.setRunning({});
    m_model.refresh(row);
    if (currentKernel() == &*found) {
        showTimes();
        m_details->setCurrentWidget(m_times);
    }
}

// A saved result, without the caches that it was measured from.
void KernelBenchPanel::showDocument() {
    m_kernels = m_stream.document();
    m_paths.clear();
    m_model.setTable(models::kernelTable(m_kernels));
    m_bar->setFacts(QStringList{models::toText(m_kernels.gpu.name),
                                models::toText(m_kernels.method), models::toText(m_kernels.created)}
                        .join(QStringLiteral(" · ")));
    m_table->selectRow(0);
    m_details->setCurrentWidget(m_times);
    showCurrent();
    refreshButtons();
}

const BenchItem* KernelBenchPanel::currentKernel() const {
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? &m_model.row(current.row()).item() : nullptr;
}

void KernelBenchPanel::showCurrent() {
    const BenchItem* kernel = currentKernel();
    const std::string path = kernel != nullptr ? kernel->source : std::string();
    if (m_sourcePath != models::toText(path)) {
        m_sourcePath = models::toText(path);
        m_source->setPlainText(sourceText(path));
        m_source->find(QStringLiteral("@triton_heuristics"));  // past the imports
        m_source->moveCursor(QTextCursor::StartOfLine);
        m_source->centerCursor();
    }
    showTimes();
}

void KernelBenchPanel::showTimes() {
    const BenchItem* kernel = currentKernel();
    std::vector<plots::Bar> bars;
    for (std::size_t i = 0; kernel != nullptr && i < kernel->series.size(); ++i) {
        constexpr double kUs = 1000.0;
        const bench::results::BenchSeries& config = kernel->series[i];
        const stats::Interval interval = config.interval();
        const double time = config.timeNs() / kUs;
        const double error = config.minimum ? 0.0 : (interval.high - interval.low) / 2.0 / kUs;
        bars.push_back(
            {models::shortConfig(config.name),
             tr("%1\n%2 µs ± %3, %4 samples%5")
                 .arg(models::toText(config.name), QString::number(time, 'f', 2),
                      QString::number(error, 'f', 2), QString::number(config.summary().count),
                      config.winner ? tr("\nchosen by autotuning") : QString()),
             time, i == kernel->best(), error, error});
    }
    m_times->setBars(std::move(bars), tr("µs"));
}

void KernelBenchPanel::showInTrace() {
    const BenchItem* kernel = currentKernel();
    const auto& trace = m_view.trace();
    if (kernel == nullptr || !trace) {
        return;
    }
    trace::SliceId longest = trace::kNoSlice;
    for (const trace::GpuOperation& operation : trace->gpuOperations()) {
        const bool better = longest == trace::kNoSlice ||
                            trace->duration(operation.slice) > trace->duration(longest);
        if (better && trace->name(operation.slice) == kernel->name) {
            longest = operation.slice;
        }
    }
    if (longest != trace::kNoSlice) {
        m_view.highlightName(trace->nameId(longest));
        m_view.select(longest);
        m_view.reveal(longest);
    }
}

void KernelBenchPanel::showKernel(const QString& name) {
    const auto found = std::ranges::find(m_kernels.items, name.toStdString(), &BenchItem::name);
    if (found != m_kernels.items.end()) {
        if (const int row = m_model.rowOf({&*found}); row >= 0) {
            m_table->selectRow(row);
            m_table->scrollTo(m_model.index(row, 0));
            emit frontWanted();
        }
    }
}

void KernelBenchPanel::refreshButtons() {
    const bool canRun = !m_paths.isEmpty() && m_model.allRowCount() > 0 && !m_bar->running();
    m_bar->setRunnable(canRun, tr("Run all"));
    m_runSelected->setEnabled(canRun && m_table->selectionModel()->hasSelection());
}

}  // namespace kinetoscope::panels
