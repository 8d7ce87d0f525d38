// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/bench/BenchBar.h"

#include <QMenu>
#include <QVBoxLayout>
#include <ranges>

#include "core/bench/results/ResultStore.h"
#include "widgets/models/Text.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

// A narrow panel elides its options rather than growing; their tool tips have the full text.
constexpr int kMinWidth = 44;

}  // namespace

BenchBar::BenchBar(const QString& kind, QWidget* parent)
    : QWidget(parent),
      m_kind(kind),
      m_options(new QHBoxLayout),
      m_run(new QPushButton(tr("Run"))),
      m_stop(new QPushButton(tr("Stop"))),
      m_progress(new QProgressBar),
      m_results(new QToolButton),
      m_facts(new style::ElidedLabel(QString())),
      m_errors(new style::MessageBar(style::MessageBar::Kind::Error)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(m_options);
    layout->addWidget(m_errors);
    m_options->setContentsMargins(10, 5, 10, 5);
    m_options->setSpacing(8);
    m_run->setObjectName(QStringLiteral("run"));
    m_stop->setObjectName(QStringLiteral("stop"));
    m_results->setObjectName(QStringLiteral("results"));
    m_results->setText(tr("Saved results"));
    m_results->setToolTip(tr("Open an earlier result of kscope bench %1").arg(kind));
    m_results->setPopupMode(QToolButton::InstantPopup);
    m_results->setMenu(new QMenu(m_results));
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setFormat(tr("%v of %m"));
    m_progress->setMaximumWidth(140);
    for (QWidget* one : std::initializer_list<QWidget*>{m_run, m_stop, m_progress, m_results}) {
        one->setMinimumWidth(kMinWidth);
    }
    m_facts->setObjectName(QStringLiteral("facts"));
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_options->addWidget(m_run);
    m_options->addWidget(m_stop);
    m_options->addWidget(m_progress);
    m_options->addWidget(m_facts, 1);
    m_options->addWidget(m_results);
    connect(m_run, &QPushButton::clicked, this, &BenchBar::runRequested);
    connect(m_stop, &QPushButton::clicked, this, &BenchBar::stop);
    connect(m_results->menu(), &QMenu::aboutToShow, this, &BenchBar::fillResults);
    connect(&m_process, &session::KscopeProcess::lineRead, this, &BenchBar::lineRead);
    connect(&m_process, &session::KscopeProcess::finished, this, [this](const QString& error) {
        if (!error.isEmpty()) {
            fail(error);
        }
        refresh();
        emit ended();
    });
    refresh();
}

void BenchBar::addOption(const QString& label, QWidget* widget) {
    int at = m_options->indexOf(m_run);
    if (!label.isEmpty()) {
        auto* title = new QLabel(label);
        title->setTextFormat(Qt::PlainText);
        title->setBuddy(widget);
        m_options->insertWidget(at++, title);
    }
    widget->setMinimumWidth(kMinWidth);
    m_options->insertWidget(at, widget);
    m_disabledWhileRunning.append(widget);
}

void BenchBar::addTool(QWidget* widget) {
    widget->setMinimumWidth(kMinWidth);
    m_options->insertWidget(m_options->indexOf(m_results), widget);
}

void BenchBar::addDevice() {
    m_device = new QComboBox;
    m_device->addItems({tr("GPU if any"), QStringLiteral("cpu"), QStringLiteral("cuda")});
    m_device->setToolTip(tr("Device to run on"));
    m_device->setObjectName(QStringLiteral("device"));
    addOption({}, m_device);
}

QStringList BenchBar::deviceArguments() const {
    return m_device->currentIndex() == 0
               ? QStringList()
               : QStringList{QStringLiteral("--device"), m_device->currentText()};
}

void BenchBar::start(const QStringList& arguments) {
    clearErrors();
    m_progress->setRange(0, 0);  // busy until the plan is known
    m_process.start(QStringList{QStringLiteral("bench"), m_kind, QStringLiteral("--stream")} +
                    arguments);
    refresh();
}

void BenchBar::setRunnable(bool isRunnable, const QString& text) {
    m_run->setEnabled(isRunnable);
    m_run->setText(text);
}

void BenchBar::setProgress(std::size_t done, std::size_t all) {
    m_progress->setRange(0, static_cast<int>(all));
    m_progress->setValue(static_cast<int>(done));
}

void BenchBar::fillResults() {
    QMenu* menu = m_results->menu();
    menu->clear();
    const auto results =
        bench::results::ResultStore(bench::results::ResultStore::defaultFolder()).list();
    for (const bench::results::StoredResult& one : results | std::views::reverse) {
        if (one.problem.empty() && models::toText(one.kind) == m_kind) {
            const QString id = models::toText(one.id);
            const QString device =
                one.gpu.empty() ? QStringLiteral("cpu") : models::toText(one.gpu);
            const QString text =
                tr("%1   %2, %3 %4").arg(id, device, QString::number(one.kernels), m_kind);
            menu->addAction(style::plainActionText(text), this, [this, id] { openResult(id); })
                ->setToolTip(style::plainToolTip(text));
        }
    }
    if (menu->isEmpty()) {
        menu->addAction(tr("(none yet)"))->setEnabled(false);
    }
}

void BenchBar::openResult(const QString& id) {
    clearErrors();
    const auto saved = bench::results::ResultStore(bench::results::ResultStore::defaultFolder())
                           .loadText(id.toStdString());
    if (saved) {
        emit resultChosen(id, saved->text);
    } else {
        fail(models::toText(saved.error().message));
    }
}

void BenchBar::refresh() {
    const bool active = running();
    m_run->setVisible(!active);
    m_results->setEnabled(!active);
    m_stop->setVisible(active);
    m_progress->setVisible(active);
    for (QWidget* one : m_disabledWhileRunning) {
        one->setEnabled(!active);
    }
}

}  // namespace kinetoscope::panels
