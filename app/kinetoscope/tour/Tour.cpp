// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/tour/Tour.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

#include "widgets/style/Icons.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::app {

namespace {

constexpr int kTourWidth = 340;
constexpr int kTourGap = 12;
constexpr int kTourBorder = 3;

/// A frame around a part, which lets everything through.
class PartFrame final : public QWidget {
public:
    explicit PartFrame(QWidget* window) : QWidget(window) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setObjectName(QStringLiteral("tourFrame"));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(style::Theme::current().accent(), kTourBorder));
        const qreal inset = kTourBorder / 2.0;
        painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 4, 4);
    }
};

/// Right of the part, left, below, above, or in its corner: the first place that has room.
QPoint placeBeside(const QRect& part, QSize card, const QRect& room) {
    const std::array<QPoint, 4> places{QPoint(part.right() + kTourGap, part.top()),
                                       QPoint(part.left() - kTourGap - card.width(), part.top()),
                                       QPoint(part.left(), part.bottom() + kTourGap),
                                       QPoint(part.left(), part.top() - kTourGap - card.height())};
    for (const QPoint& place : places) {
        if (room.contains(QRect(place, card))) {
            return place;
        }
    }
    const QRect inside = part & room;
    return {inside.right() - kTourGap - card.width(), inside.bottom() - kTourGap - card.height()};
}

}  // namespace

Tour::Tour(QWidget& window, std::vector<TourStop> stops)
    : QFrame(&window),
      m_window(window),
      m_stops(std::move(stops)),
      m_frame(new PartFrame(&window)),
      m_title(new QLabel),
      m_text(new QLabel),
      m_count(new QLabel),
      m_back(new QPushButton(tr("Back"))),
      m_next(new QPushButton) {
    setObjectName(QStringLiteral("tour"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setFixedWidth(kTourWidth);
    setAttribute(Qt::WA_DeleteOnClose);
    m_title->setObjectName(QStringLiteral("tourTitle"));
    m_text->setObjectName(QStringLiteral("tourText"));
    m_back->setObjectName(QStringLiteral("tourBack"));
    m_next->setObjectName(QStringLiteral("tourNext"));
    for (QPushButton* button : {m_back, m_next}) {
        button->setAutoDefault(true);  // Enter presses it
    }
    for (QLabel* label : {m_title, m_text, m_count}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(label != m_count);
    }
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("tourClose"));
    close->setAutoRaise(true);
    close->setIcon(style::themedIcon(QStringLiteral("close")));
    close->setToolTip(tr("End the tour; restart it from Help → Tour"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(close, 0, Qt::AlignTop);
    auto* foot = new QHBoxLayout;
    foot->addWidget(m_count, 1);
    foot->addWidget(m_back);
    foot->addWidget(m_next);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_text);
    column->addLayout(foot);
    connect(close, &QToolButton::clicked, this, &Tour::end);
    connect(m_back, &QPushButton::clicked, this, [this] { goTo(m_stop - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { goTo(m_stop + 1); });
    window.installEventFilter(this);
    recolour();
    goTo(0);
}

void Tour::goTo(int stop) {
    if (stop >= static_cast<int>(m_stops.size())) {
        end();
        return;
    }
    m_stop = stop;
    const TourStop& shown = m_stops[static_cast<std::size_t>(stop)];
    m_title->setText(shown.title);
    m_text->setText(shown.text);
    m_count->setText(tr("%1 of %2").arg(stop + 1).arg(m_stops.size()));
    m_back->setEnabled(stop > 0);
    m_next->setText(stop + 1 < static_cast<int>(m_stops.size()) ? tr("Next") : tr("Done"));
    if (m_part != nullptr) {
        m_part->removeEventFilter(this);
    }
    m_part = shown.show();
    if (m_part != nullptr) {
        m_part->installEventFilter(this);
    }
    show();
    place();
    m_next->setFocus();
}

void Tour::place() {
    const bool isThere = m_part != nullptr && m_part->isVisible();
    m_framed = isThere ? m_part : nullptr;
    const QRect room = m_window.rect();
    const QRect part =
        isThere ? QRect(m_part->mapTo(&m_window, QPoint(0, 0)), m_part->size()) : QRect();
    m_frame->setGeometry(part);
    m_frame->setVisible(isThere);
    m_frame->raise();
    resize(kTourWidth,
           heightForWidth(kTourWidth) > 0 ? heightForWidth(kTourWidth) : sizeHint().height());
    const QPoint middle = room.center() - rect().center();
    move(isThere ? placeBeside(part, size(), room) : middle);
    raise();
}

void Tour::end() {
    m_window.removeEventFilter(this);
    if (m_part != nullptr) {
        m_part->removeEventFilter(this);
    }
    m_frame->deleteLater();
    close();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::Resize:
        case QEvent::Move:
        case QEvent::Show:
        case QEvent::Hide:
        case QEvent::LayoutRequest:  // panels that are shown now would lie over the card
            // What moves now is laid out only after this.
            QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
            break;
        default:
            break;
    }
    return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        end();
    } else {
        QFrame::keyPressEvent(event);
    }
}

void Tour::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        recolour();
    }
}

void Tour::recolour() {
    const style::Theme& theme = style::Theme::current();
    if (palette().color(QPalette::Window) != theme.raised()) {
        QPalette colours = palette();
        colours.setColor(QPalette::Window, theme.raised());
        setPalette(colours);
    }
}

}  // namespace kinetoscope::app
