// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::panels {

/// How busy each GPU was, with what, and why it was idle, over the chosen window.
class SummaryPanel final : public Panel {
    Q_OBJECT

public:
    explicit SummaryPanel(const PanelContext& context, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    [[nodiscard]] QWidget* makeContents() const;
    [[nodiscard]] QString hint() const;

    session::Session& m_session;
    session::ViewState& m_view;
    QScrollArea* m_scroll;
};

}  // namespace kinetoscope::panels
