// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVBoxLayout>
#include <QWidget>

namespace kinetoscope::app {

/// Shown while nothing is open: how to open something.
class WelcomePage final : public QWidget {
    Q_OBJECT

public:
    /// `sample` empty: there is no sample trace to offer.
    explicit WelcomePage(const QString& sample, QWidget* parent = nullptr);
    void setRecentFiles(const QStringList& paths);

signals:
    void openRequested();
    void tourRequested();
    void fileRequested(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* m_recentTitle;
    QVBoxLayout* m_recent;
};

/// The sample trace that belongs to this program; empty when it is not installed.
[[nodiscard]] QString sampleTracePath();

}  // namespace kinetoscope::app
