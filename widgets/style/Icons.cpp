// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/Icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

#include "widgets/style/Theme.h"

/// Resources of a static library are registered only on request, from outside any namespace.
static void registerResources() {
    Q_INIT_RESOURCE(kinetoscope);
}

namespace kinetoscope::style {

namespace {

QByteArray drawing(const QString& name) {
    static const bool registered = (registerResources(), true);
    Q_UNUSED(registered)
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void render(QPainter& painter, const QRectF& rect, QByteArray svg, const QColor& color) {
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    renderer.render(&painter, rect);
}

QPixmap emptyPixmap(const QSize& pixels) {
    QPixmap pixmap(pixels);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

/// Draws the SVG again for each request, so it follows the theme and the screen's resolution.
class SvgEngine final : public QIconEngine {
public:
    explicit SvgEngine(QByteArray svg) : m_svg(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const Theme& theme = Theme::current();
        render(*painter, rect, m_svg,
               mode == QIcon::Disabled ? theme.border()
                                       : (mode == QIcon::Active ? theme.accent() : theme.text()));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap = emptyPixmap(size);
        QPainter painter(&pixmap);
        paint(&painter, pixmap.rect(), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new SvgEngine(m_svg); }

private:
    QByteArray m_svg;
};

}  // namespace

QIcon themedIcon(const QString& name) {
    QByteArray svg = drawing(name);
    return svg.isEmpty() ? QIcon() : QIcon(new SvgEngine(std::move(svg)));
}

QPixmap tintedPixmap(const QString& name, const QColor& color, int size, qreal devicePixelRatio) {
    const int pixels = qRound(size * devicePixelRatio);
    QPixmap pixmap = emptyPixmap({pixels, pixels});
    QPainter painter(&pixmap);
    render(painter, pixmap.rect(), drawing(name), color);
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

QIcon applicationIcon() {
    return themedIcon(QStringLiteral("kinetoscope"));
}

}  // namespace kinetoscope::style
