// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/calls/FlameLayout.h"
#include "widgets/calls/FlamePainter.h"

class QMenu;
class QScrollBar;

namespace kinetoscope::calls {

/// A call tree as an icicle: callers above their callees, each as wide as its time. A click selects
/// a frame, a double click or Enter zooms to it, Escape goes back; the wheel scrolls, with Ctrl it
/// zooms at the pointer; the arrow keys move the selection.
class FlameGraph final : public QWidget {
    Q_OBJECT

public:
    explicit FlameGraph(QWidget* parent = nullptr);

    /// Null: nothing is shown. Selection and zoom stay where the new tree has their nodes.
    /// `widths`: of the tree; null: they are worked out here.
    void setTree(std::shared_ptr<const trace::Trace> trace,
                 std::shared_ptr<const calltree::CallTree> tree,
                 std::shared_ptr<const FlameWidths> widths = nullptr);
    /// Frames whose names hold the text stay bright.
    void setSearch(const QString& text);
    /// Shown in the middle while there is no frame.
    void setEmptyText(const QString& text);

    [[nodiscard]] calltree::NodeId selected() const { return m_selected; }
    void select(calltree::NodeId node);
    /// The frame becomes as wide as the picture; the root shows everything again.
    void zoomTo(calltree::NodeId node);
    /// Returns to the view before the last zoom.
    void back();
    [[nodiscard]] bool canGoBack() const { return !m_before.empty(); }
    [[nodiscard]] FlameSpan shown() const { return m_shown; }

    [[nodiscard]] const FlameRows& rows();
    /// Where the frame is, in logical pixels; nullopt when it has no item of its own.
    [[nodiscard]] std::optional<QRectF> boxOf(calltree::NodeId node);
    /// The tool tip of a frame below its name.
    [[nodiscard]] QString describe(const FlameItem& item) const;

    [[nodiscard]] QSize sizeHint() const override { return {900, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 80}; }

signals:
    void selectionChanged(calltree::NodeId node);
    void shownChanged();
    void callersWanted(NameId name);
    void findWanted(calltree::NodeId node);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Hit {
        const FlameItem* item;
        std::uint32_t row;
    };
    void showSpan(FlameSpan span);
    void goTo(FlameSpan span);
    void invalidate();
    void resetColors();
    void updateScrollBar();
    void showRowOf(calltree::NodeId node);
    [[nodiscard]] QString rootText() const;
    [[nodiscard]] FlamePicture picture();
    void renderCanvas(bool named);
    void paintVectors(QPainter& painter);
    [[nodiscard]] int pictureWidth() const;
    void addMenu(QMenu& menu, calltree::NodeId node);
    bool walk(int key);
    [[nodiscard]] QFont labelFont() const;
    [[nodiscard]] int rowHeight() const;  ///< device pixels
    [[nodiscard]] int columns() const;
    [[nodiscard]] std::optional<Hit> hitAt(QPointF at);
    [[nodiscard]] QRectF boxOf(const FlameItem& item, std::uint32_t row) const;
    [[nodiscard]] std::uint32_t depthOf(calltree::NodeId node) const;

    std::shared_ptr<const trace::Trace> m_trace;
    std::shared_ptr<const calltree::CallTree> m_tree;
    std::shared_ptr<const FlameWidths> m_widths = std::make_shared<const FlameWidths>();
    FlameSpan m_shown;
    std::vector<FlameSpan> m_before;
    FlameRows m_rows;
    FlamePainter m_painter;
    QImage m_canvas;
    QScrollBar* m_scrollBar;
    QString m_emptyText;
    calltree::NodeId m_selected = calltree::kRoot;
    calltree::NodeId m_zoomed = calltree::kRoot;
    std::optional<QRectF> m_hoverBox;
    bool m_rowsValid = false;
    bool m_canvasValid = false;
};

}  // namespace kinetoscope::calls
