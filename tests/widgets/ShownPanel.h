// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QSize>
#include <QString>
#include <QTemporaryDir>
#include <string_view>

#include "app/kinetoscope/MainWindow.h"

namespace kinetoscope::app {

/// A window in which a test looks at one panel. The panel is not brought to the front, and nothing
/// is open.
class ShownPanel {
public:
    explicit ShownPanel(const char* panel, QSize size = {1280, 800})
        : m_panel(QString::fromLatin1(panel)) {
        window.resize(size);
        window.show();
    }

    /// A widget of the panel by its object name; null: it has none.
    template <class T>
    T* part(const char* name) {
        return window.docks().panel(m_panel)->findChild<T*>(QString::fromLatin1(name));
    }
    /// Name of the selected slice; empty: none.
    std::string_view selected() {
        const auto slice = window.view().selected();
        return slice == trace::kNoSlice ? std::string_view() : window.view().trace()->name(slice);
    }

    session::Settings settings{session::Settings::InMemory{}};
    MainWindow window{settings};

private:
    QString m_panel;
};

/// Writes a trace into the folder. Empty when it could not be written.
[[nodiscard]] inline QString writeTrace(const QTemporaryDir& folder, const QByteArray& text) {
    QFile file(folder.filePath(QStringLiteral("trace.json")));
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                              : QString();
}

}  // namespace kinetoscope::app
