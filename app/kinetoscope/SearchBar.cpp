// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/SearchBar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <algorithm>

#include "core/query/Search.h"
#include "core/text/Format.h"
#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::app {

namespace {

constexpr int kTypingPauseMs = 120;
constexpr int kWidth = 280;

QString number(std::size_t value) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(value)));
}

}  // namespace

SearchBar::SearchBar(session::ViewState& view, QWidget* parent)
    : QWidget(parent),
      m_view(view),
      m_text(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_task([this](const Matches& matches) { deliver(matches); }) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 4, 0);
    layout->setSpacing(8);
    layout->addWidget(m_count);
    layout->addWidget(m_text);
    m_count->setTextFormat(Qt::PlainText);
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setPlaceholderText(tr("Find slices by name"));
    m_text->setToolTip(
        tr("Find slices by name (Ctrl+F); /…/ is a regular expression.\n"
           "Enter: next, Shift+Enter: previous, Escape: leave"));
    m_text->setClearButtonEnabled(true);
    m_text->setFixedWidth(kWidth);
    m_text->addAction(style::themedIcon(QStringLiteral("find")), QLineEdit::LeadingPosition);
    m_text->installEventFilter(this);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kTypingPauseMs);
    connect(m_text, &QLineEdit::textChanged, &m_delay, qOverload<>(&QTimer::start));
    connect(&m_delay, &QTimer::timeout, this, &SearchBar::search);
    connect(&view, &session::ViewState::traceChanged, this, &SearchBar::search);
}

void SearchBar::startTyping() {
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
}

void SearchBar::search() {
    m_delay.stop();
    m_matches.clear();
    m_at.reset();
    m_error.clear();
    m_task.cancel();
    const auto trace = m_view.trace();
    if (trace && !m_text->text().isEmpty()) {
        m_task.start([trace, pattern = m_text->text().toStdString()](const std::stop_token&) {
            return query::findSlices(*trace, pattern);
        });
    }
    tell();
}

void SearchBar::deliver(const Matches& matches) {
    if (matches) {
        m_matches = *matches;
    } else {
        m_error = QString::fromStdString(matches.error().message);
        m_outOfMeans = matches.error().kind == ErrorKind::Output;
    }
    tell();
    if (m_pendingStep != 0) {
        go(std::exchange(m_pendingStep, 0));
    }
}

std::size_t SearchBar::firstInView() const {
    const auto& trace = *m_view.trace();
    const auto found = std::lower_bound(
        m_matches.begin(), m_matches.end(), m_view.visible().start,
        [&](trace::SliceId slice, TimeNs time) { return trace.start(slice) < time; });
    return found == m_matches.end() ? 0 : static_cast<std::size_t>(found - m_matches.begin());
}

void SearchBar::go(int by) {
    if (m_delay.isActive()) {
        search();
    }
    if (m_task.busy()) {
        m_pendingStep = by;
        return;
    }
    if (m_matches.empty()) {
        return;
    }
    const std::size_t count = m_matches.size();
    if (m_at) {
        m_at = by > 0 ? (*m_at + 1) % count : (*m_at + count - 1) % count;
    } else {
        m_at = firstInView();
    }
    m_view.select(m_matches[*m_at]);
    m_view.reveal(m_matches[*m_at]);
    tell();
}

void SearchBar::tell() {
    QString text;
    if (!m_error.isEmpty()) {
        text = m_outOfMeans ? tr("not searched") : tr("no expression");
    } else if (m_at) {
        text = tr("%1 of %2").arg(number(*m_at + 1), number(m_matches.size()));
    } else if (!m_text->text().isEmpty() && !m_task.busy()) {
        text =
            m_matches.empty() ? tr("nothing found") : tr("%1 found").arg(number(m_matches.size()));
    }
    m_count->setText(text);
    m_count->setToolTip(style::plainToolTip(m_error));
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_text && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            go(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            m_text->clear();
            emit left();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace kinetoscope::app
