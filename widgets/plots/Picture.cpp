// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/Picture.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>
#include <algorithm>

#include "widgets/plots/Plot.h"

namespace kinetoscope::plots {

namespace {

// Qt's generator knows no clipping before 6.5, so that every widget becomes a group of its own
// with a clip around it.
class SvgWriter {
public:
    void add(QWidget& widget, QPoint at, bool isRoot) {
        const QRect box = widget.rect();
        const QByteArray prefix = "w" + QByteArray::number(m_widgets++);
        m_body += "<defs><clipPath id=\"" + prefix + "\"><rect width=\"" +
                  QByteArray::number(box.width()) + "\" height=\"" +
                  QByteArray::number(box.height()) + "\"/></clipPath></defs>\n";
        m_body += "<g transform=\"translate(" + QByteArray::number(at.x()) + "," +
                  QByteArray::number(at.y()) + ")\">\n<g clip-path=\"url(#" + prefix + ")\">\n";
        m_body += drawn(widget, isRoot, prefix + "-");
        for (QObject* child : widget.children()) {
            auto* part = qobject_cast<QWidget*>(child);
            if (part != nullptr && !part->isWindow() && part->isVisible() &&
                part->geometry().intersects(box)) {
                add(*part, part->pos(), false);
            }
        }
        m_body += "</g>\n</g>\n";
    }

    [[nodiscard]] const QByteArray& body() const { return m_body; }

private:
    // The widget's own drawing, without the document around it.
    static QByteArray drawn(QWidget& widget, bool isRoot, const QByteArray& prefix) {
        QBuffer buffer;
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(widget.size());
        generator.setViewBox(widget.rect());
        generator.setResolution(widget.logicalDpiX());
        {
            QPainter painter(&generator);
            if (isRoot) {
                painter.fillRect(widget.rect(), widget.palette().window());
            }
            widget.render(&painter, QPoint(), QRegion(), QWidget::RenderFlags());
        }
        const QByteArray& document = buffer.data();
        const qsizetype from = document.indexOf("<defs>");
        const qsizetype to = document.lastIndexOf("</svg>");
        if (from < 0 || to < from) {
            return {};
        }
        // Names are unique in the whole document. Texts contain no quotation marks.
        return document.mid(from, to - from)
            .replace(" id=\"", " id=\"" + prefix)
            .replace("=\"url(#", "=\"url(#" + prefix)
            .replace("xlink:href=\"#", "xlink:href=\"#" + prefix);
    }

    QByteArray m_body;
    int m_widgets = 0;
};

// Other controls may not stand in XML in any form.
void dropControls(QByteArray& text) {
    text.removeIf([](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\n' && c != '\t';
    });
}

}  // namespace

QByteArray svgOf(QWidget& widget, const QString& title) {
    SvgWriter writer;
    writer.add(widget, {}, true);
    const QByteArray width = QByteArray::number(std::max(1, widget.width()));
    const QByteArray height = QByteArray::number(std::max(1, widget.height()));
    QByteArray document = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg width=\"" + width +
                          "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height +
                          "\" version=\"1.1\" xmlns=\"http://www.w3.org/2000/svg\""
                          " xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n<title>" +
                          title.toHtmlEscaped().toUtf8() + "</title>\n" + writer.body() +
                          "</svg>\n";
    dropControls(document);
    return document;
}

QString plotLibraryVersion() {
    return QStringLiteral(QCUSTOMPLOT_VERSION_STR);
}

QWidget* plotAt(QWidget& place, QPoint at) {
    for (QWidget* part = place.childAt(at); part != nullptr; part = part->parentWidget()) {
        if (qobject_cast<Plot*>(part) != nullptr) {
            return part;
        }
    }
    return nullptr;
}

}  // namespace kinetoscope::plots
