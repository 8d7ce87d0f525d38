// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/palette/CommandPalette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/kinetoscope/palette/PaletteRows.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::app {

namespace {

constexpr int kPaletteWidth = 680;
constexpr int kPaletteTop = 34;
constexpr int kPaletteMargin = 8;
constexpr int kPaletteRows = 12;

}  // namespace

CommandPalette::CommandPalette(QWidget& window, std::vector<PaletteEntry> entries,
                               const QStringList& lastUsed)
    : QFrame(&window),
      m_model(std::move(entries), lastUsed),
      m_text(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_none(new QLabel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Commands"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPaletteMargin, kPaletteMargin, kPaletteMargin, kPaletteMargin);
    column->setSpacing(kPaletteMargin - 2);
    column->addWidget(m_text);
    column->addWidget(m_list);
    column->addWidget(m_none);
    m_text->setObjectName(QStringLiteral("paletteText"));
    m_text->setPlaceholderText(tr("Search commands, panels, steps, files"));
    m_text->setAccessibleName(tr("Name of a command"));
    m_text->addAction(style::themedIcon(QStringLiteral("find")), QLineEdit::LeadingPosition);
    m_text->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("Matching commands"));
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new PaletteRows(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setMouseTracking(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_none->setTextFormat(Qt::PlainText);
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_none->setContentsMargins(kPaletteMargin, 2, kPaletteMargin, 4);
    connect(m_text, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_list, &QListView::clicked, this, &CommandPalette::choose);
}

void CommandPalette::open() {
    m_before = QApplication::focusWidget();
    parentWidget()->installEventFilter(this);
    qApp->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
        // Nothing: another window is in front for a while.
        if (now != nullptr && !isOwn(now)) {
            close();
        }
    });
    search({});
    show();
    raise();
    m_text->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::close() {
    if (std::exchange(m_closed, true)) {
        return;
    }
    const bool had = isOwn(QApplication::focusWidget());
    hide();
    if (had && m_before != nullptr) {
        m_before->setFocus(Qt::PopupFocusReason);
    }
    deleteLater();
}

void CommandPalette::search(const QString& typed) {
    m_model.setTyped(typed);
    const bool some = m_model.rowCount() > 0;
    m_list->setVisible(some);
    m_none->setVisible(!some);
    m_none->setText(tr("Nothing matches “%1”").arg(style::shownText(typed, 60)));
    m_list->setCurrentIndex(m_model.index(0));
    m_list->scrollToTop();
    place();
}

void CommandPalette::place() {
    const QRect room = parentWidget()->rect();
    const int width = std::min(kPaletteWidth, room.width() - 2 * kPaletteMargin);
    const int row = std::max(1, m_list->sizeHintForRow(0));
    const int most =
        (room.height() - kPaletteTop - m_text->sizeHint().height() - 6 * kPaletteMargin) / row;
    m_list->setFixedHeight(row *
                           std::clamp(m_model.rowCount(), 1, std::clamp(most, 1, kPaletteRows)));
    layout()->activate();
    setGeometry((room.width() - width) / 2, kPaletteTop, width, sizeHint().height());
}

bool CommandPalette::isOwn(const QObject* object) const {
    for (; object != nullptr; object = object->parent()) {
        if (object == this) {
            return true;
        }
    }
    return false;
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (m_closed) {
        return false;
    }
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        return moveBy(static_cast<QKeyEvent*>(event)->key());
    }
    // The field takes Escape before it would be a shortcut of the window.
    if (watched == m_text && event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    if (watched == parentWidget() && event->type() == QEvent::Resize) {
        place();
    }
    if (event->type() == QEvent::MouseButtonPress && watched->isWidgetType() && !isOwn(watched)) {
        close();
    }
    return QFrame::eventFilter(watched, event);
}

bool CommandPalette::moveBy(int key) {
    const int rows = m_model.rowCount();
    const int now = m_list->currentIndex().row();
    int to = 0;
    switch (key) {
        case Qt::Key_Escape:
            close();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            choose(m_list->currentIndex());
            return true;
        case Qt::Key_Up:
            to = (now + rows - 1) % std::max(1, rows);
            break;
        case Qt::Key_Down:
            to = (now + 1) % std::max(1, rows);
            break;
        case Qt::Key_PageUp:
            to = std::max(0, now - kPaletteRows);
            break;
        case Qt::Key_PageDown:
            to = std::min(rows - 1, now + kPaletteRows);
            break;
        default:
            return false;
    }
    m_list->setCurrentIndex(m_model.index(to));
    return true;
}

void CommandPalette::choose(const QModelIndex& index) {
    if (!index.isValid() || !m_model.entry(index.row()).why.isEmpty()) {
        return;
    }
    const PaletteEntry entry = m_model.entry(index.row());
    close();  // what is done finds the focus where it was
    emit chosen(entry.id);
    entry.run();
}

void CommandPalette::paintEvent(QPaintEvent*) {
    const style::Theme& theme = style::Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.base());
    painter.setPen(theme.mutedText());
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace kinetoscope::app
