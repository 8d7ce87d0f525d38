// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/bars/WaitBar.h"

#include <QHBoxLayout>

namespace kinetoscope::app {

namespace {

constexpr int kPatienceMs = 150;  // shorter waits are not worth a flicker
constexpr int kSteps = 1000;

}  // namespace

WaitBar::WaitBar(const QString& name, const QString& toolTip, QWidget* parent)
    : QWidget(parent),
      m_text(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 5, 8, 5);
    layout->setSpacing(12);
    layout->addWidget(m_text);
    layout->addWidget(m_bar, 1);
    layout->addWidget(m_cancel);
    m_text->setTextFormat(Qt::PlainText);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(8);
    m_bar->setRange(0, kSteps);
    m_cancel->setObjectName(name);
    m_cancel->setToolTip(toolTip);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &QWidget::show);
    connect(m_cancel, &QPushButton::clicked, this, &WaitBar::cancelled);
    hide();
}

void WaitBar::begin(const QString& text) {
    tell(text, 0.0);
    if (isHidden()) {
        m_patience.start();
    }
}

void WaitBar::tell(const QString& text, double fraction) {
    m_bar->setValue(static_cast<int>(fraction * kSteps));
    m_text->setText(text);
}

void WaitBar::end() {
    m_patience.stop();
    hide();
}

}  // namespace kinetoscope::app
