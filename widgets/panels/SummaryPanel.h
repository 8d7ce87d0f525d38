// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include "widgets/panels/parts/Panel.h"
#include "widgets/style/ElidedLabel.h"

namespace kinetoscope::panels {

class CompatSection;

/// How busy each GPU was, with what, and why it was idle, over the chosen window.
class SummaryPanel final : public Panel {
    Q_OBJECT

public:
    explicit SummaryPanel(const PanelContext& context, QWidget* parent = nullptr);

    [[nodiscard]] bool busy() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void tellFile();
    void replace(QWidget*& section, QWidget* by);
    void fitWidth();
    [[nodiscard]] QWidget* makeFigures() const;
    [[nodiscard]] QString hint() const;

    session::Session& m_session;
    session::ViewState& m_view;
    style::ElidedLabel* m_file;
    QScrollArea* m_scroll;
    QWidget* m_figures;
    CompatSection* m_compat;
    QWidget* m_run;
};

}  // namespace kinetoscope::panels
