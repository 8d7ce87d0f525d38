// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>

#include "widgets/session/programs/KscopeProcess.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/MessageBar.h"

namespace kinetoscope::panels {

/// The top of a panel that runs a bench: options, Run and Stop, progress, saved results, and what
/// went wrong. Runs the bench in a process of its own.
class BenchBar final : public QWidget {
    Q_OBJECT

public:
    /// `kind` is "kernels", "operators" or "modules": the bench's name, and that of its results.
    explicit BenchBar(const QString& kind, QWidget* parent = nullptr);

    /// Puts a widget behind the others; a label of its own where `label` is not empty.
    void addOption(const QString& label, QWidget* widget);
    /// Puts a widget before the saved results.
    void addTool(QWidget* widget);
    /// A choice of CPU and GPU behind the others.
    void addDevice();
    /// The chosen options, as arguments.
    [[nodiscard]] QStringList deviceArguments() const;

    /// Starts `kscope bench KIND --stream` with these behind; an error ends in the bar.
    void start(const QStringList& arguments);
    void stop() { m_process.cancel(); }
    /// Whether there is anything to run, and what Run is called then.
    void setRunnable(bool isRunnable, const QString& text);
    void setProgress(std::size_t done, std::size_t all);
    /// One line about what is shown.
    void setFacts(const QString& text) { m_facts->setText(text); }
    void fail(const QString& message) { m_errors->addMessage(message); }
    void clearErrors() { m_errors->clear(); }
    [[nodiscard]] bool running() const { return m_process.running(); }

signals:
    void runRequested();
    void lineRead(const QByteArray& line);
    void ended();
    /// A saved result was chosen: its name and its document.
    void resultChosen(const QString& name, const std::string& json);

private:
    void fillResults();
    void openResult(const QString& id);
    void refresh();

    QString m_kind;
    session::KscopeProcess m_process;
    QHBoxLayout* m_options;
    QComboBox* m_device = nullptr;
    QPushButton* m_run;
    QPushButton* m_stop;
    QProgressBar* m_progress;
    QToolButton* m_results;
    style::ElidedLabel* m_facts;
    style::MessageBar* m_errors;
    QList<QWidget*> m_disabledWhileRunning;
};

}  // namespace kinetoscope::panels
