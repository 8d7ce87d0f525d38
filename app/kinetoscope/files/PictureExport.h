// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QStringList>
#include <QWidget>
#include <functional>

#include "widgets/session/Settings.h"

class QAction;

namespace kinetoscope::app {

/// Asks for a file to write and adds the suffix of the chosen filter to a name that has none of
/// the filters; empty: nothing is to be written. Filters are of the form "PNG (*.png)".
[[nodiscard]] QString askWhereToSave(QWidget& parent, const QString& title, const QString& proposed,
                                     const QStringList& filters);

/// The widget as PNG or, where the name ends in .svg, as SVG. Returns one line about what went
/// wrong; empty: nothing did.
[[nodiscard]] QString writePicture(const QString& path, QWidget& widget, const QString& title);

/// Writes parts of the window as pictures.
class PictureExport final : public QObject {
    Q_OBJECT

public:
    using Complain = std::function<void(const QString&)>;

    PictureExport(QWidget& window, const session::Settings& settings, Complain complain);

    /// Asks where and writes. `title` becomes the proposed name.
    void save(QWidget& part, const QString& title);
    /// Plots inside of this widget get a context menu with that; `title` is the place's.
    void offerIn(QWidget& place, const QString& title);
    /// The same for a widget that has a menu of its own with its actions().
    void offerFor(QWidget& part, const QString& title);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] QList<QAction*> actionsFor(QWidget& plot, const QString& title, QObject& owner);

    QWidget& m_window;
    const session::Settings& m_settings;
    Complain m_complain;
};

}  // namespace kinetoscope::app
