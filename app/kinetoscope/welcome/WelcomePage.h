// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QStringList>
#include <QVBoxLayout>
#include <QWidget>
#include <vector>

#include "app/kinetoscope/welcome/Samples.h"

namespace kinetoscope::app {

/// Shown while nothing is open: how to open something.
class WelcomePage final : public QWidget {
    Q_OBJECT

public:
    /// The first of `samples` is the one for a first look.
    explicit WelcomePage(const std::vector<Sample>& samples, QWidget* parent = nullptr);
    void setRecentFiles(const QStringList& paths);

signals:
    void openRequested();
    void tourRequested();
    void fileRequested(const QString& path);
    void jobRequested(const QStringList& paths);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addButtons(QVBoxLayout& column, const std::vector<Sample>& samples);
    void addSamples(QHBoxLayout& row, const std::vector<Sample>& samples);
    void openSample(const Sample& sample);

    QWidget* m_recentTitle;
    QVBoxLayout* m_recent;
};

}  // namespace kinetoscope::app
