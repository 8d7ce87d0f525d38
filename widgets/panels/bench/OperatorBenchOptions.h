// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QObject>
#include <QSpinBox>

#include "widgets/panels/bench/BenchBar.h"
#include "widgets/panels/bench/MoreOptions.h"
#include "widgets/session/Settings.h"

namespace kinetoscope::panels {

/// Options of `kscope bench operators`: widgets in the bar, rarely used ones behind "More…".
class OperatorBenchOptions final : public QObject {
    Q_OBJECT

public:
    /// Both outlive it.
    OperatorBenchOptions(BenchBar& bar, session::Settings& settings);

    /// Offers the operators of the inputs, which are read now.
    void listOperators();
    /// Those of one run; continuing an earlier result is requested once.
    [[nodiscard]] QStringList takeArguments();
    /// The same in place of the inputs for the operator of a trace whose event begins at this byte.
    [[nodiscard]] QStringList argumentsFor(const QString& trace, quint64 offset) const;

private:
    void addInputs();
    void addMore();
    void chooseInputs(int item);
    [[nodiscard]] QString inputText() const;

    BenchBar& m_bar;
    session::Settings& m_settings;
    QComboBox* m_inputs;
    QComboBox* m_operator;
    QComboBox* m_type;
    QSpinBox* m_most;
    MoreOptions* m_more;
    QCheckBox* m_resume;
    QString m_file;    ///< of one's own instead of a suite
    int m_suite = 0;   ///< the last one chosen
    QString m_listed;  ///< inputs whose operators are offered
};

}  // namespace kinetoscope::panels
