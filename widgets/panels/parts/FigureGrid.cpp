// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/parts/FigureGrid.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QPainter>

#include "widgets/style/ElidedLabel.h"

namespace kinetoscope::panels {

namespace {

constexpr int kFigureGridSwatch = 10;
constexpr int kWidestFigure = 190;

class Swatch final : public QWidget {
public:
    explicit Swatch(const QColor& color) : m_color(color) {
        setFixedSize(kFigureGridSwatch, kFigureGridSwatch);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_color);
        painter.drawRoundedRect(rect(), 2.5, 2.5);
    }

private:
    QColor m_color;
};

style::ElidedLabel* makeLabel(const QString& text, QPalette::ColorRole role, const QString& toolTip,
                              Qt::Alignment alignment = Qt::AlignLeft) {
    auto* label = new style::ElidedLabel(text, alignment);
    label->setForegroundRole(role);
    label->setToolTip(toolTip);
    return label;
}

}  // namespace

FigureGrid::FigureGrid(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(2, 1);
}

void FigureGrid::addLine(const Line& line) {
    if (line.total) {
        auto* rule = new QFrame;
        rule->setFrameShape(QFrame::HLine);
        rule->setForegroundRole(QPalette::Mid);
        rule->setFixedHeight(1);
        m_grid->addWidget(rule, m_rows++, 0, 1, 4);
    }
    if (line.swatch.isValid()) {
        m_grid->addWidget(new Swatch(line.swatch), m_rows, 0, Qt::AlignVCenter);
    }
    if (line.name.isEmpty()) {
        m_grid->addWidget(
            makeLabel(line.value, QPalette::PlaceholderText, line.toolTip, Qt::AlignRight),
            m_rows++, 0, 1, 4);
        return;
    }
    const bool swatch = line.swatch.isValid();
    auto* name = makeLabel(line.name, QPalette::WindowText, line.toolTip);
    m_grid->addWidget(name, m_rows, swatch ? 1 : 0, 1, swatch ? 1 : 2);
    auto* value = makeLabel(line.value, QPalette::WindowText, line.toolTip, Qt::AlignRight);
    // Names stay whole as long as values can give way; figures cannot.
    if (line.share.isEmpty()) {
        name->setMinimumWidth(qMin(name->sizeHint().width(), kWidestFigure));
        m_grid->addWidget(value, m_rows, 2, 1, 2);
    } else {
        value->setMinimumWidth(value->sizeHint().width());
        auto* share = makeLabel(line.share, QPalette::WindowText, line.toolTip, Qt::AlignRight);
        share->setFixedWidth(share->fontMetrics().horizontalAdvance(QLatin1String("100.00 %")) + 4);
        m_grid->addWidget(value, m_rows, 2);
        m_grid->addWidget(share, m_rows, 3);
    }
    ++m_rows;
}

QWidget* makeHeading(const QString& title, const QString& aside, const QString& toolTip) {
    auto* heading = new QWidget;
    auto* layout = new QHBoxLayout(heading);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* name = makeLabel(title, QPalette::WindowText, toolTip);
    QFont bold = name->font();
    bold.setWeight(QFont::DemiBold);
    name->setFont(bold);
    auto* note = makeLabel(aside, QPalette::PlaceholderText, toolTip);
    layout->addWidget(name);
    layout->addStretch(1);
    layout->addWidget(note);
    return heading;
}

}  // namespace kinetoscope::panels
