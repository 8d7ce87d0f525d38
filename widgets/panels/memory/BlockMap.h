// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

#include "widgets/panels/memory/ShownMemory.h"
#include "widgets/session/LatestTask.h"
#include "widgets/timeline/TimeCoordinates.h"

namespace kinetoscope::panels {

/// A device's blocks over time, each a band at its place in the stack, and what is reserved as a
/// line above them. The picture is made on a worker, one block a pixel; until it is there the one
/// before is shown moved and stretched, so that a gesture never waits. Times are the history's.
class BlockMap final : public QWidget {
    Q_OBJECT

public:
    using Moment = memory::view::Moment;
    enum class Colors : std::uint8_t { Place, Purpose };

    explicit BlockMap(QWidget* parent = nullptr);

    /// Null: none. The whole height is shown; the time stays as it was set.
    void setMemory(const Memory& memory, std::size_t device);
    /// Said in the middle where there is nothing to draw.
    void setEmptyText(const QString& text);
    void setTime(TimeSpan time);
    [[nodiscard]] TimeSpan time() const { return m_time; }
    /// The part of the stack that is shown, in bytes.
    void setHeight(std::int64_t bottom, std::int64_t top);
    [[nodiscard]] std::int64_t bottom() const { return m_bottom; }
    [[nodiscard]] std::int64_t top() const { return m_top; }
    void fitHeight();
    /// Selected time, shaded.
    void setRange(std::optional<TimeSpan> range);
    /// Marked with a line.
    void setMoment(std::optional<Moment> moment);
    /// memory::kNoBlock: none.
    void setBlock(std::uint32_t block);
    [[nodiscard]] std::uint32_t block() const { return m_look.block; }
    /// The others are drawn faintly; empty: none stands out.
    void setPlaces(std::vector<bool> places);
    void setColors(Colors colors);
    /// A picture is being made.
    [[nodiscard]] bool busy() const { return m_task.busy(); }

    /// Where time and stack are drawn, in pixels of the widget.
    [[nodiscard]] QRect plot() const;
    [[nodiscard]] timeline::TimeCoordinates coordinates() const;
    /// Of a height of the stack.
    [[nodiscard]] double y(std::int64_t bytes) const;
    /// memory::kNoBlock: no block is drawn there.
    [[nodiscard]] std::uint32_t blockAt(QPoint at) const;
    [[nodiscard]] QString toolTipAt(QPoint at) const;
    [[nodiscard]] static QColor purposeColor(memory::Purpose purpose);

    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 120}; }

signals:
    /// By a gesture.
    void timeWanted(qint64 start, qint64 end);
    void fitWanted();
    /// A click; block: memory::kNoBlock beside all.
    void clicked(quint32 moment, quint32 block);
    void busyChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    using Picture = memory::view::BlockPicture;
    enum class Drag : std::uint8_t { None, Pending, Pan };
    /// What colours the blocks have.
    struct Look {
        std::vector<QRgb> fills;  ///< by place
        QRgb surface = 0;
        QRgb untold = 0;
        QRgb selection = 0;
        std::uint32_t block = memory::kNoBlock;  ///< the selected one
        std::uint64_t number = 0;                ///< another whenever one of these is another
    };
    struct Drawn {
        Picture picture;
        QImage image;            ///< of it, in its pixels
        std::uint64_t look = 0;  ///< Look::number
    };

    [[nodiscard]] const memory::view::BlockStacks* stacks() const;
    [[nodiscard]] memory::view::Area wantedArea() const;
    void request();
    void take(Result<Drawn> drawn);
    void makeColors();
    void makeImage();
    [[nodiscard]] static QImage imageOf(const Picture& picture,
                                        const std::vector<memory::Block>& blocks, const Look& look);
    void zoomTime(double factor, TimeNs anchor);
    void zoomHeight(double factor, double anchor);
    void click(QPoint at);

    void paintPicture(QPainter& painter) const;
    void paintReserved(QPainter& painter) const;
    void paintScale(QPainter& painter) const;
    void paintRuler(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    Memory m_memory;
    std::size_t m_device = 0;
    QString m_emptyText;
    TimeSpan m_time{0, 1};
    std::int64_t m_bottom = 0;
    std::int64_t m_top = 1;
    std::optional<TimeSpan> m_range;
    std::optional<Moment> m_moment;
    std::vector<bool> m_places;
    Colors m_colors = Colors::Place;

    Picture m_picture;
    QImage m_image;  ///< of m_picture, in its pixels
    Look m_look;
    session::LatestTask<Drawn> m_task;

    Drag m_drag = Drag::None;
    QPoint m_pressAt;
    TimeSpan m_pressTime;
    std::int64_t m_pressBottom = 0;
    std::int64_t m_pressTop = 0;
};

}  // namespace kinetoscope::panels
