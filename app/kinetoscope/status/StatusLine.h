// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QLabel>
#include <QWidget>

#include "widgets/panels/parts/DataTable.h"
#include "widgets/session/Session.h"
#include "widgets/style/ElidedLabel.h"

namespace kinetoscope::app {

/// The status bar. On the left the open file or, once something is selected, that with its figures;
/// names are elided, figures are not. On the right the selected time with how busy the GPUs were in
/// it, the rows selected in a table, the hits of the search and the visible time, each in a field
/// wide enough for usual figures. In a narrow window, whole fields are hidden.
class StatusLine final : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(session::Session& session, QWidget* parent = nullptr);

    /// A job of many ranks is in front, and this is known of it; empty: a trace is.
    void tellJob(const QString& summary);
    /// Shows the selection of this table, until it is destroyed.
    void follow(panels::DataTable& table);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QLabel* addField(const char* name);
    void setWidths();
    void connectView(session::ViewState& view);
    void tellView();
    void tellSelection();
    void tellRange();
    void showFields();
    void tellRows();
    void tellHits();
    [[nodiscard]] const std::vector<analysis::Step>* stepsOf(const session::ViewState& view) const;
    [[nodiscard]] QString figuresOf(const session::ViewState& view) const;

    session::Session& m_session;
    QString m_job;
    style::ElidedLabel* m_contents;
    style::ElidedLabel* m_selection;
    QLabel* m_figures;
    QWidget* m_chipPlace;
    QLabel* m_busy;
    QLabel* m_rows;
    QLabel* m_hits;
    QLabel* m_visible;
    panels::DataTable* m_table = nullptr;  ///< in which rows were selected last
};

}  // namespace kinetoscope::app
