// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/LoadBar.h"

#include <QFileInfo>
#include <QHBoxLayout>

#include "core/text/Format.h"

namespace kinetoscope::app {

namespace {

constexpr int kPatienceMs = 150;  // shorter waits are not worth a flicker
constexpr int kSteps = 1000;

}  // namespace

LoadBar::LoadBar(session::TraceLoader& loader, QWidget* parent)
    : QWidget(parent),
      m_loader(loader),
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
    m_cancel->setObjectName(QStringLiteral("cancelLoad"));
    m_cancel->setToolTip(tr("Stop reading; nothing of the file is kept"));
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &QWidget::show);
    connect(m_cancel, &QPushButton::clicked, &loader, &session::TraceLoader::cancel);
    connect(&loader, &session::TraceLoader::started, this, &LoadBar::begin);
    connect(&loader, &session::TraceLoader::progressed, this, &LoadBar::tell);
    connect(&loader, &session::TraceLoader::idle, this, &LoadBar::end);
    hide();
}

void LoadBar::begin(const QString& path) {
    m_title = tr("Opening %1").arg(QFileInfo(path).fileName());
    if (m_loader.waiting() > 0) {
        m_title += tr(" (%1 more)").arg(m_loader.waiting());
    }
    tell(0, 0);
    if (isHidden()) {
        m_patience.start();
    }
}

void LoadBar::tell(quint64 done, quint64 total) {
    m_bar->setValue(static_cast<int>(m_loader.progress().fraction() * kSteps));
    m_text->setText(total == 0 ? m_title
                               : tr("%1: %2 of %3")
                                     .arg(m_title, QString::fromStdString(text::formatBytes(done)),
                                          QString::fromStdString(text::formatBytes(total))));
}

void LoadBar::end() {
    m_patience.stop();
    hide();
}

}  // namespace kinetoscope::app
