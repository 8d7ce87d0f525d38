// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <vector>

#include "core/compare/CompareInput.h"
#include "core/compare/Partners.h"
#include "widgets/session/LatestTask.h"
#include "widgets/session/Run.h"
#include "widgets/session/TraceLayout.h"
#include "widgets/session/ViewState.h"

namespace kinetoscope::session {

/// Something that can be compared with others of its kind.
struct Comparable {
    enum class Kind { Trace, Recording, Kernels, Operators, Modules };

    QString id;  ///< path of a file, or name of a saved result
    QString title;
    Kind kind = Kind::Trace;
    QString gpu;
    QString details;                            ///< what it holds, in a few words
    std::shared_ptr<const trace::Trace> trace;  ///< null for results
    std::shared_ptr<TraceLayout> layout;        ///< the same

    /// What cannot be compared with this one.
    [[nodiscard]] bool differsFrom(const Comparable& other) const;
};

enum class CompareRole { None, Baseline, Candidate };

/// One candidate compared with the baseline.
struct ComparedPair {
    compare::Both<QString> id;  ///< as of Comparable
    compare::Both<QString> title;
    compare::Both<std::shared_ptr<const compare::ComparedRun>> run;  ///< null for results
    compare::Both<std::shared_ptr<TraceLayout>> layout;              ///< the same
    compare::Comparison comparison;
    std::shared_ptr<const compare::Partners> partners;  ///< null for results
};

/// Which runs and results are compared, and what came of it. The comparison is computed on a
/// worker. GUI thread.
class CompareState final : public QObject {
    Q_OBJECT

public:
    /// `runs` are the open ones and live longer; call refreshItems() when they change.
    explicit CompareState(const std::vector<Run>& runs);

    /// Open traces in their order, then the saved results of benches, newest first.
    [[nodiscard]] const std::vector<Comparable>& items() const { return m_items; }
    [[nodiscard]] bool has(const QString& id) const;
    /// Looks again what is open and kept. Comparisons of files that are no longer open end.
    void refreshItems();

    [[nodiscard]] CompareRole role(const QString& id) const;
    /// There is one baseline: a new one makes the old one nothing.
    void setRole(const QString& id, CompareRole role);
    /// Where nothing is marked and two traces alone are open, the first is the baseline of the
    /// other.
    void suggestRoles();
    /// Why compare() cannot be called now; empty when it can.
    [[nodiscard]] QString obstacle() const;

    void setOptions(std::optional<compare::Normalisation> per, compare::MatchKind match);
    [[nodiscard]] const compare::CompareOptions& options() const { return m_options; }

    void compare();
    [[nodiscard]] bool busy() const { return m_task.busy(); }
    /// Why the last comparison failed; empty otherwise.
    [[nodiscard]] const QString& error() const { return m_error; }

    /// One for each candidate; empty before the first comparison.
    [[nodiscard]] const std::vector<std::shared_ptr<const ComparedPair>>& pairs() const {
        return m_pairs;
    }
    /// The pair that is shown; null without any.
    [[nodiscard]] const ComparedPair* shown() const;
    [[nodiscard]] int shownIndex() const { return m_shown; }
    void show(int index);

    /// The views of the shown pair's timelines; without a trace while there are none.
    [[nodiscard]] ViewState& baseView() { return m_baseView; }
    [[nodiscard]] ViewState& candidateView() { return m_candidateView; }
    /// That one of the two in which something was selected last.
    [[nodiscard]] ViewState& usedView() { return *m_usedView; }
    void useView(ViewState& view);

    /// Row of Comparison::kernels, -1: none.
    void selectKernel(int row);
    [[nodiscard]] int selectedKernel() const { return m_kernel; }
    /// The same by the row of KernelMatches.
    void selectMatch(std::uint32_t row);

    /// Timelines go to the first pair of a kernel, or to a row of Comparison::steps.
    void goToKernel(int row) { emit kernelRequested(row); }
    void goToStep(int row) { emit stepRequested(row); }

signals:
    void itemsChanged();  ///< or their roles
    void busyChanged();
    void compared();  ///< done, with pairs() or error()
    /// Beside compared(): for lack of memory or threads.
    void failed(const QString& why);
    void shownChanged();  ///< another pair is shown, or none
    void kernelSelected();
    void usedViewChanged();
    void kernelRequested(int row);
    void stepRequested(int row);

private:
    struct Outcome {
        std::vector<std::shared_ptr<const ComparedPair>> pairs;
        QString error;
    };

    void dropRolesOfMissing();
    void dropPairsOfClosed();
    [[nodiscard]] bool isOfClosed(const ComparedPair& pair) const;
    void deliver(Result<Outcome> outcome);

    const std::vector<Run>& m_runs;
    std::vector<Comparable> m_items;
    std::map<QString, CompareRole> m_roles;
    compare::CompareOptions m_options;
    std::vector<std::shared_ptr<const ComparedPair>> m_pairs;
    QString m_error;
    int m_shown = -1;
    int m_kernel = -1;
    ViewState m_baseView;
    ViewState m_candidateView;
    ViewState* m_usedView = &m_baseView;
    LatestTask<Outcome> m_task;
};

}  // namespace kinetoscope::session
