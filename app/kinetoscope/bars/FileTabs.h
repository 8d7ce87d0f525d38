// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTabBar>
#include <vector>

namespace kinetoscope::app {

/// Names without the endings of traces, unless two would then be the same.
[[nodiscard]] QStringList withoutTraceEndings(const QStringList& names);
/// Elides the name to the width. What distinguishes it from the others stays in sight.
[[nodiscard]] QString elidedAmong(const QString& name, const QStringList& others,
                                  const QFontMetrics& metrics, int width);

/// The tabs of open files: they share the room, and what distinguishes their names is in sight.
class FileTabs final : public QTabBar {
    Q_OBJECT

public:
    explicit FileTabs(QWidget* parent = nullptr);

    struct File {
        QString title;
        QString toolTip;
    };
    void setFiles(const std::vector<File>& files);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    /// Of a tab around its text.
    [[nodiscard]] int besideText(int index) const;
    [[nodiscard]] int widestText(const QStringList& names, int room) const;

    QStringList m_names;
};

}  // namespace kinetoscope::app
