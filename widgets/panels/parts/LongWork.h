// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <chrono>

namespace kinetoscope::panels {

/// Whether work has gone on for so long that it has to be said. Quick work changes no text, which
/// would flicker.
class LongWork final : public QObject {
    Q_OBJECT

public:
    explicit LongWork(QObject* parent = nullptr) : QObject(parent) {
        m_timer.setSingleShot(true);
        m_timer.setInterval(kToldAfter);
        connect(&m_timer, &QTimer::timeout, this, [this] {
            m_isLong = true;
            emit becameLong();
        });
    }

    void setBusy(bool busy) {
        if (!busy) {
            m_timer.stop();
            m_isLong = false;
        } else if (!m_isLong && !m_timer.isActive()) {
            m_timer.start();
        }
    }
    [[nodiscard]] bool isLong() const { return m_isLong; }

signals:
    void becameLong();

private:
    static constexpr std::chrono::milliseconds kToldAfter{
        80};  // a tenth of a second with its paint

    QTimer m_timer;
    bool m_isLong = false;
};

}  // namespace kinetoscope::panels
