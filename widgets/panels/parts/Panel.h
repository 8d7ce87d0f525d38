// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/models/ColumnTableModel.h"
#include "widgets/session/Session.h"
#include "widgets/session/Settings.h"
#include "widgets/session/ViewState.h"
#include "widgets/session/programs/Recorder.h"

namespace kinetoscope::panels {

/// The context of a panel. All of it outlives the panel.
struct PanelContext {
    session::Session& session;
    session::ViewState& view;
    session::Settings& settings;
    session::Recorder& recorder;
};

/// Contents of one dock. Panels do not know each other: they read the session and change the view
/// state. A subclass takes a PanelContext and connects itself in its constructor.
class Panel : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The table that File → Export writes; null when the panel has none.
    [[nodiscard]] virtual const models::ColumnTableModel* table() const { return nullptr; }
    /// Whether it can be seen: it is open and no tab is before it. What takes long waits for that.
    virtual void setInFront(bool /*inFront*/) {}
    /// Something is being read or computed that will be shown.
    [[nodiscard]] virtual bool busy() const { return false; }

signals:
    /// The panel has something to show that was requested elsewhere.
    void frontWanted();
};

enum class PanelPlace { RightTop, RightBottom, Bottom };

/// How a panel appears in the window.
struct PanelEntry {
    const char* id;        ///< for --panel and the remembered layout
    const char* title;     ///< of its dock and in the View menu
    const char* shortcut;  ///< shows it
    const char* icon;      ///< drawing of resources/icons
    const char* toolTip;
    PanelPlace place;
    std::unique_ptr<Panel> (*make)(const PanelContext& context);
    bool opensAtFirst = true;  ///< else once something is opened for it, or from the View menu
};

}  // namespace kinetoscope::panels
