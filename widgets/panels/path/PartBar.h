// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/session/path/PathFinder.h"

namespace kinetoscope::panels {

/// The colour of a kind of part.
[[nodiscard]] QColor partColor(path::PartKind kind);
[[nodiscard]] QString partKindTitle(path::PartKind kind);

/// A critical path as one bar of its kinds of parts, which are as long as their shares of the step.
class PartBar final : public QWidget {
    Q_OBJECT

public:
    explicit PartBar(QWidget* parent = nullptr);
    /// Null: none.
    void setPath(const std::shared_ptr<const session::ShownPath>& shown);
    /// Where a kind is, in logical pixels; empty where the path has none of it.
    [[nodiscard]] QRectF boxOf(path::PartKind kind) const;

    [[nodiscard]] QSize sizeHint() const override { return {400, kHeight}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, kHeight}; }

signals:
    void kindClicked(path::PartKind kind);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    static constexpr int kHeight = 30;

    struct Sum {
        path::PartKind kind;
        TimeNs ns;
    };
    [[nodiscard]] std::optional<Sum> at(QPointF point) const;

    std::vector<Sum> m_sums;
    TimeNs m_whole = 0;
};

}  // namespace kinetoscope::panels
