// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <functional>

namespace kinetoscope::app {

/// An application that survives an exception of an event handler, running out of memory above all:
/// the handler ends there, and the window reports it.
class Application final : public QApplication {
public:
    using QApplication::QApplication;

    /// Receives one line about it; standard error until this is set. May itself throw.
    void setComplaint(std::function<void(const QString&)> complain) {
        m_complain = std::move(complain);
    }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    void complain(const char* what) noexcept;

    std::function<void(const QString&)> m_complain;
    bool m_complaining = false;
};

}  // namespace kinetoscope::app
