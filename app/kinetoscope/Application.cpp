// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/Application.h"

#include <cstdio>
#include <new>

namespace kinetoscope::app {

bool Application::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::bad_alloc&) {
        complain("out of memory; close other files or programs");
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return false;
}

// Reporting it may fail for lack of memory too, and must not be reported through itself again.
void Application::complain(const char* what) noexcept {
    if (m_complain && !m_complaining) {
        m_complaining = true;
        try {
            m_complain(tr("Something went wrong: %1").arg(QString::fromUtf8(what)));
            m_complaining = false;
            return;
        } catch (const std::exception&) {
            m_complaining = false;
        }
    }
    std::fprintf(stderr, "kinetoscope: %s\n", what);
}

}  // namespace kinetoscope::app
