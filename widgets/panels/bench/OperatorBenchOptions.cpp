// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/bench/OperatorBenchOptions.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFileDialog>
#include <QFileInfo>

#include "core/bench/operators/OperatorInputs.h"
#include "core/metrics/SourceFolder.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

constexpr int kOperatorWidth = 260;
constexpr int kOperatorLetters = 10;
constexpr int kInputsWidth = 170;
constexpr std::size_t kMaxInputBytes = 64U << 20U;

enum InputItem { FirstSuite, FileItem = 3 };

QComboBox* makeChoice(const char* name, const QStringList& items, const QString& toolTip) {
    auto* box = new QComboBox;
    box->setObjectName(QLatin1String(name));
    box->addItems(items);
    box->setToolTip(toolTip);
    return box;
}

QSpinBox* makeNumber(int least, int most, int usual) {
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(usual);
    return box;
}

}  // namespace

OperatorBenchOptions::OperatorBenchOptions(BenchBar& bar, session::Settings& settings)
    : QObject(&bar), m_bar(bar), m_settings(settings), m_more(new MoreOptions) {
    addInputs();
    m_type =
        makeChoice("dtype",
                   {QStringLiteral("float32"), QStringLiteral("float16"),
                    QStringLiteral("bfloat16"), QStringLiteral("recorded")},
                   tr("Element type of floating-point tensors; recorded keeps the original types"));
    m_most = makeNumber(1, 10000, 15);
    m_most->setObjectName(QStringLiteral("maxSamples"));
    m_most->setPrefix(tr("≤ "));
    m_most->setSuffix(tr(" samples"));
    m_most->setToolTip(tr("Maximum number of samples per operator"));
    m_bar.addOption({}, m_type);
    m_bar.addDevice();
    m_bar.addOption({}, m_most);
    m_bar.addOption({}, m_more);
    addMore();
}

void OperatorBenchOptions::addInputs() {
    m_inputs = makeChoice("suite",
                          {QStringLiteral("torchbench"), QStringLiteral("huggingface"),
                           QStringLiteral("timm"), tr("a file…")},
                          tr("Recorded inputs: a suite, or your own file in the format of "
                             "PyTorch's operator benchmark"));
    m_inputs->setMaximumWidth(kInputsWidth);
    m_operator = makeChoice("op", {QStringLiteral("all")},
                            tr("One overload, such as aten.add.Tensor, or all"));
    m_operator->setEditable(true);
    m_operator->setInsertPolicy(QComboBox::NoInsert);
    m_operator->setMaximumWidth(kOperatorWidth);
    m_operator->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_operator->setMinimumContentsLength(kOperatorLetters);
    m_operator->view()->setMinimumWidth(kOperatorWidth);
    m_operator->completer()->setFilterMode(Qt::MatchContains);
    m_operator->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_operator->completer()->popup()->setMinimumWidth(kOperatorWidth);
    m_bar.addOption({}, m_inputs);
    m_bar.addOption({}, m_operator);
    connect(m_inputs, &QComboBox::activated, this, &OperatorBenchOptions::chooseInputs);
    connect(m_inputs, &QComboBox::currentIndexChanged, this, &OperatorBenchOptions::listOperators);
}

void OperatorBenchOptions::addMore() {
    m_more->addNames(
        tr("Implementations"), QStringLiteral("--implementations"),
        {QStringLiteral("jit"), QStringLiteral("inductor"), QStringLiteral("nvfuser")},
        {QStringLiteral("jit"), QStringLiteral("inductor")}, QStringLiteral("eager"),
        tr("What to time in addition to eager: jit is TorchScript with its fuser, inductor a "
           "package that "
           "your Python compiles, nvfuser TorchScript in the slot that older results use for it"));
    auto* repeats = makeNumber(1, 1000, 8);
    m_more->addNumber(tr("Repeats"), QStringLiteral("--repeats"), repeats,
                      tr("Turns of all implementations on each sample, each elsewhere in memory; "
                         "one where accuracy is checked"));
    auto* limit = new QDoubleSpinBox;
    limit->setRange(0.001, 3600.0);
    limit->setDecimals(3);
    limit->setValue(3.0);
    limit->setSuffix(tr(" s"));
    m_more->addNumber(tr("Time limit"), QStringLiteral("--time-limit"), limit,
                      tr("Time limit per sample in seconds"));
    m_more->addNumber(tr("First sample"), QStringLiteral("--start-idx"),
                      makeNumber(0, 1'000'000, 0),
                      tr("Index of the first recorded input of each operator, from 0"));
    m_more->addNumber(tr("Seed"), QStringLiteral("--seed"), makeNumber(0, 2'147'483'647, 1337),
                      tr("Seed of the random input values"));
    const QCheckBox* accuracy = m_more->addSwitch(
        tr("Check accuracy"), QStringLiteral("--accuracy-checking"),
        tr("Compare results with eager's: cosine similarity and largest difference"));
    connect(accuracy, &QCheckBox::toggled, repeats, &QWidget::setDisabled);
    m_more->addSwitch(tr("Channels last"), QStringLiteral("--channels-last"),
                      tr("Use the channels-last memory format for 4D tensors"));
    m_more->addSwitch(
        tr("Smaller shapes"), QStringLiteral("--shrink"),
        tr("Shrink shapes where the operator still runs, for a quick try; times mean little"));
    m_more->addSwitch(tr("Do not save"), QStringLiteral("--no-save"), tr("Do not save the result"));
    m_resume = m_more->addSwitch(tr("Resume the last result"), QStringLiteral("--resume"),
                                 tr("Measure what is missing from the last saved result, with its "
                                    "options instead of these; for one run"));
}

void OperatorBenchOptions::chooseInputs(int item) {
    if (item != FileItem) {
        m_suite = item;
        return;
    }
    const QString path = QFileDialog::getOpenFileName(&m_bar, tr("Choose recorded inputs"),
                                                      m_settings.lastFolder.value(),
                                                      tr("Recorded inputs (*.txt);;All files (*)"));
    if (!path.isEmpty()) {
        m_file = path;
        m_listed.clear();
        m_settings.lastFolder.set(QFileInfo(path).absolutePath());
        m_inputs->setItemText(FileItem, style::shownText(QFileInfo(path).fileName()));
        m_inputs->setItemData(FileItem, style::plainToolTip(path), Qt::ToolTipRole);
    }
    if (m_file.isEmpty()) {
        m_inputs->setCurrentIndex(m_suite);
    }
    listOperators();
}

QString OperatorBenchOptions::inputText() const {
    const auto text = m_inputs->currentIndex() == FileItem
                          ? metrics::readSmallFile(m_file.toStdString(), kMaxInputBytes)
                          : bench::operators::operatorSuite(m_inputs->currentText().toStdString());
    return text ? models::toText(*text) : QString();
}

void OperatorBenchOptions::listOperators() {
    const QString inputs = m_inputs->currentIndex() == FileItem ? m_file : m_inputs->currentText();
    if (inputs.isEmpty() || inputs == m_listed) {
        return;
    }
    m_listed = inputs;
    const QString chosen = m_operator->currentText();
    QStringList names;
    for (const QString& line : inputText().split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("Operator: "))) {
            names << style::shownText(line.mid(10).trimmed());
        }
    }
    names.sort();
    m_operator->clear();
    m_operator->addItem(QStringLiteral("all"));
    m_operator->addItems(names);
    m_operator->setEditText(chosen);
}

QStringList OperatorBenchOptions::argumentsFor(const QString& trace, quint64 offset) const {
    return QStringList{QStringLiteral("--from"), trace, QStringLiteral("--event"),
                       QString::number(offset)} +
           m_bar.deviceArguments() + m_more->arguments();
}

QStringList OperatorBenchOptions::takeArguments() {
    const bool ownFile = m_inputs->currentIndex() == FileItem;
    QStringList arguments{ownFile ? QStringLiteral("--inp-file") : QStringLiteral("--suite"),
                          ownFile ? m_file : m_inputs->currentText(),
                          QStringLiteral("--op"),
                          m_operator->currentText().trimmed(),
                          QStringLiteral("--dtype"),
                          m_type->currentText(),
                          QStringLiteral("--max-samples"),
                          QString::number(m_most->value())};
    arguments += m_bar.deviceArguments();
    arguments += m_more->arguments();
    m_resume->setChecked(false);
    return arguments;
}

}  // namespace kinetoscope::panels
