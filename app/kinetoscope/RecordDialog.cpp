// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/RecordDialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

#include "widgets/session/programs/CommandWords.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::app {

namespace {

constexpr int kMinWidth = 620;
constexpr int kEnvironmentLines = 4;

constexpr std::array kLevels{
    "0: whole CUDA graphs, copies",
    "1: kernels, copies, memsets",
    "2: + the calls that launch kernels",
    "3: + runtime calls, NVTX ranges, CUPTI's overhead",
    "4: + driver calls, waits, events, device memory",
};

QStringList environmentLines(const QString& text) {
    QStringList lines;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        // Blanks behind the value belong to it.
        if (const QString entry = line.trimmed(); !entry.isEmpty()) {
            lines.append(line.mid(line.indexOf(entry.front())));
        }
    }
    return lines;
}

/// Without the blanks around what was pasted, unless they belong to the file's name.
QString typedPath(const QLineEdit& edit) {
    return QFileInfo::exists(edit.text()) ? edit.text() : edit.text().trimmed();
}

}  // namespace

RecordDialog::RecordDialog(session::Settings& settings, QWidget* parent)
    : QDialog(parent),
      m_settings(settings),
      m_program(new QLineEdit(settings.recordProgram.value())),
      m_arguments(new QLineEdit(settings.recordArguments.value())),
      m_folder(new QLineEdit(settings.recordFolder.value())),
      m_environment(new QPlainTextEdit(settings.recordEnvironment.value())),
      m_level(new QComboBox),
      m_hint(new QLabel) {
    setObjectName(QStringLiteral("recordDialog"));
    setWindowTitle(tr("Record a program"));
    setMinimumWidth(kMinWidth);
    auto* column = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    addPathRow(form, tr("&Program"), m_program, false);
    form->addRow(tr("&Arguments"), m_arguments);
    addPathRow(form, tr("&Folder"), m_folder, true);
    form->addRow(tr("&Environment"), m_environment);
    form->addRow(tr("&Level"), m_level);
    column->addLayout(form);
    m_program->setObjectName(QStringLiteral("program"));
    m_program->setPlaceholderText(QStringLiteral("python3"));
    m_arguments->setObjectName(QStringLiteral("arguments"));
    m_arguments->setPlaceholderText(QStringLiteral("train.py --epochs 1"));
    m_arguments->setToolTip(
        tr("As in a shell: quotes and backslashes protect spaces; nothing is expanded"));
    m_folder->setObjectName(QStringLiteral("folder"));
    m_folder->setPlaceholderText(QDir::currentPath());
    m_environment->setObjectName(QStringLiteral("environment"));
    m_environment->setPlaceholderText(QStringLiteral("CUDA_VISIBLE_DEVICES=0"));
    m_environment->setToolTip(tr("NAME=value, one per line, added to the current environment"));
    m_environment->setTabChangesFocus(true);
    m_environment->setFixedHeight(m_environment->fontMetrics().lineSpacing() * kEnvironmentLines +
                                  16);
    m_level->setObjectName(QStringLiteral("level"));
    for (const char* level : kLevels) {
        m_level->addItem(tr(level));
    }
    m_level->setCurrentIndex(qBound(0, settings.recordLevel.value().toInt(), m_level->count() - 1));
    m_hint->setObjectName(QStringLiteral("hint"));
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);
    column->addWidget(m_hint);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_record = buttons->addButton(tr("&Record"), QDialogButtonBox::AcceptRole);
    m_record->setObjectName(QStringLiteral("recordButton"));
    m_record->setDefault(true);
    // Cancel would become the default while Record is disabled, and stay it.
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &RecordDialog::confirm);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_program, &QLineEdit::textChanged, this, &RecordDialog::check);
    connect(m_arguments, &QLineEdit::textChanged, this, &RecordDialog::check);
    connect(m_folder, &QLineEdit::textChanged, this, &RecordDialog::check);
    connect(m_environment, &QPlainTextEdit::textChanged, this, &RecordDialog::check);
    check();
}

void RecordDialog::addPathRow(QFormLayout* form, const QString& title, QLineEdit* edit,
                              bool folder) {
    auto* row = new QHBoxLayout;
    auto* choose = new QToolButton;
    choose->setIcon(style::themedIcon(QStringLiteral("open")));
    choose->setToolTip(folder ? tr("Choose the working directory") : tr("Choose the program"));
    row->addWidget(edit, 1);
    row->addWidget(choose);
    form->addRow(title, row);
    qobject_cast<QLabel*>(form->labelForField(row))->setBuddy(edit);
    connect(choose, &QToolButton::clicked, this,
            [this, edit, folder] { choosePath(edit, folder); });
}

void RecordDialog::choosePath(QLineEdit* edit, bool folder) {
    const QString path =
        folder ? QFileDialog::getExistingDirectory(this, tr("Working directory"), edit->text())
               : QFileDialog::getOpenFileName(this, tr("Program to record"), edit->text());
    if (!path.isEmpty()) {
        edit->setText(path);
    }
}

session::RecordRequest RecordDialog::request() const {
    return {typedPath(*m_program),
            session::splitCommandWords(m_arguments->text()).value_or(QStringList()),
            typedPath(*m_folder), environmentLines(m_environment->toPlainText()),
            m_level->currentIndex()};
}

void RecordDialog::check() {
    const session::RecordRequest wish = request();
    QString problem;
    if (!wish.program.isEmpty()) {
        problem = session::whyNoProgram(wish.program, wish.folder);
    }
    if (!session::splitCommandWords(m_arguments->text())) {
        problem = tr("The arguments have an unclosed quote");
    }
    if (!wish.folder.isEmpty() && !QFileInfo(wish.folder).isDir()) {
        problem = tr("'%1': does not exist").arg(wish.folder);
    }
    for (const QString& line : wish.environment) {
        if (line.indexOf(QLatin1Char('=')) < 1) {
            problem = tr("Write environment variables as NAME=value: %1").arg(line);
        }
    }
    m_hint->setText(problem.isEmpty() ? tr("Every process of the program that uses CUDA is "
                                           "recorded, and shown while it runs.")
                                      : problem);
    m_record->setEnabled(!wish.program.isEmpty() && problem.isEmpty());
}

void RecordDialog::confirm() {
    m_settings.recordProgram.set(m_program->text());
    m_settings.recordArguments.set(m_arguments->text());
    m_settings.recordFolder.set(m_folder->text());
    m_settings.recordEnvironment.set(m_environment->toPlainText());
    m_settings.recordLevel.set(QString::number(m_level->currentIndex()));
    accept();
    emit recordRequested(request());
}

}  // namespace kinetoscope::app
