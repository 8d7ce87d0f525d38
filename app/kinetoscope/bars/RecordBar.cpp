// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/bars/RecordBar.h"

#include <QHBoxLayout>
#include <QPainter>

#include "core/text/Format.h"
#include "widgets/style/Oklch.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::app {

namespace {

constexpr int kTickMs = 200;
constexpr int kDot = 10;
constexpr int kLeftMargin = 30;

}  // namespace

RecordBar::RecordBar(session::Recorder& recorder, QWidget* parent)
    : QWidget(parent), m_recorder(recorder), m_text(new QLabel(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kLeftMargin, 5, 8, 5);
    layout->setSpacing(8);
    layout->addWidget(m_text, 1);
    m_text->setObjectName(QStringLiteral("recordText"));
    m_text->setTextFormat(Qt::PlainText);
    m_stop = addButton("stopRecording", tr("Stop recording"), tr("The program keeps running"));
    m_resume = addButton("resumeRecording", tr("Resume"), tr("Record the program again"));
    m_end = addButton("endProgram", tr("End program"),
                      tr("Interrupt the program like Ctrl+C; again: terminate it"));
    m_saveCaptures =
        addButton("saveCaptures", tr("Save captures…"),
                  tr("Move the captures to a folder; every kscope command reads them"));
    m_save = addButton("saveRecording", tr("Save as trace…"),
                       tr("Save one trace in torch.profiler's format"));
    m_close = addButton("closeRecording", tr("Close"), tr("Close this recording"));
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &RecordBar::tell);
    connect(m_stop, &QPushButton::clicked, &recorder, &session::Recorder::stopRecording);
    connect(m_resume, &QPushButton::clicked, &recorder, &session::Recorder::resume);
    connect(m_end, &QPushButton::clicked, &recorder, &session::Recorder::endProgram);
    connect(m_saveCaptures, &QPushButton::clicked, this, &RecordBar::saveCapturesRequested);
    connect(m_save, &QPushButton::clicked, this, &RecordBar::saveRequested);
    connect(m_close, &QPushButton::clicked, this, &RecordBar::closeRequested);
    connect(&recorder, &session::Recorder::started, this, [this] { m_operations = 0; });
    connect(&recorder, &session::Recorder::stateChanged, this, &RecordBar::refresh);
    connect(&recorder, &session::Recorder::grown, this,
            [this](const QString&, const std::shared_ptr<const trace::Trace>& trace) {
                m_operations = trace->gpuOperations().size() + trace->counts().droppedGpuOperations;
                tell();
            });
    refresh();
}

QPushButton* RecordBar::addButton(const char* name, const QString& text, const QString& toolTip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(toolTip);
    layout()->addWidget(button);
    return button;
}

void RecordBar::refresh() {
    using State = session::Recorder::State;
    const State state = m_recorder.state();
    const bool done = state == State::Done;
    m_stop->setVisible(state == State::Recording);
    m_resume->setVisible(state == State::Stopped);
    m_end->setVisible(m_recorder.isRunning());
    m_saveCaptures->setVisible(done && m_recorder.hasCaptures() && !m_recorder.isKept());
    m_save->setVisible(done && m_recorder.hasCaptures());
    m_save->setEnabled(!m_recorder.isSaving());
    m_close->setVisible(done);
    m_close->setText(m_recorder.hasUnkept() ? tr("Discard") : tr("Close"));
    if (m_recorder.isRunning()) {
        m_tick.start();
    } else {
        m_tick.stop();
    }
    tell();
    setVisible(state != State::Idle);
}

QString RecordBar::amount() const {
    return tr("%1 s, %2 GPU operations, %3")
        .arg(QString::number(static_cast<double>(m_recorder.elapsedMs()) / 1000.0, 'f', 1),
             QString::fromStdString(text::formatCount(static_cast<qint64>(m_operations))),
             QString::fromStdString(text::formatBytes(m_recorder.captureBytes())));
}

void RecordBar::tell() {
    using State = session::Recorder::State;
    const QString& program = m_recorder.program();
    const QString ended =
        tr("%1 ended with exit code %2").arg(program, QString::number(m_recorder.exitCode()));
    switch (m_recorder.state()) {
        case State::Idle:
            break;
        case State::Recording:
            m_text->setText(m_operations == 0 && m_recorder.captureBytes() == 0
                                ? tr("%1 is running; it has not started CUDA yet").arg(program)
                                : tr("Recording %1: %2").arg(program, amount()));
            break;
        case State::Stopped:
            m_text->setText(tr("%1 keeps running, not recorded: %2").arg(program, amount()));
            break;
        case State::Reading:
            m_text->setText(tr("%1; reading the rest").arg(ended));
            break;
        case State::Done:
            m_text->setText(!m_recorder.hasCaptures()
                                ? tr("%1; nothing was recorded, see Output").arg(ended)
                            : m_recorder.isSaving() ? tr("%1; saving the trace").arg(ended)
                                                    : tr("%1: %2").arg(ended, amount()));
            break;
    }
}

void RecordBar::paintEvent(QPaintEvent*) {
    const style::Theme& theme = style::Theme::current();
    const bool live = m_recorder.state() == session::Recorder::State::Recording;
    QPainter painter(this);
    painter.fillRect(rect(), style::mixColors(theme.window(), theme.error(), live ? 0.10 : 0.0));
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(live ? theme.error() : theme.mutedText());
    painter.drawEllipse(QRectF(12, (height() - kDot) / 2.0, kDot, kDot));
}

}  // namespace kinetoscope::app
