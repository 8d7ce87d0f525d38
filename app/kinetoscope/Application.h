// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <functional>

namespace kinetoscope::app {

/// An application that outlives an exception of a handler of events, lack of memory most of all:
/// the handler ends where it was, and the window says so.
class Application final : public QApplication {
public:
    using QApplication::QApplication;

    /// What is told about it, one line; standard error is until this is set. May itself throw.
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
