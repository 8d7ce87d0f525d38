// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/CompareTimelines.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "core/text/Format.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/style/PlainText.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope::plots {

namespace {

constexpr int kWidestAnnotation = 400;

QString timeText(TimeNs ns) {
    return QString::fromStdString(text::formatDuration(ns));
}

QString sliceText(const session::ViewState& view) {
    const auto& trace = view.trace();
    if (!trace || view.selected() == trace::kNoSlice) {
        return {};
    }
    const std::string name = text::shortKernelName(trace->name(view.selected()));
    return QStringLiteral("%1, %2").arg(style::shownText(std::string_view(name)),
                                        timeText(trace->duration(view.selected())));
}

}  // namespace

CompareTimelines::CompareTimelines(session::CompareState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_base(state.baseView()),
      m_candidate(state.candidateView()),
      m_lock(m_base, m_candidate),
      m_baseView(new TimelineView(m_base)),
      m_candidateView(new TimelineView(m_candidate)),
      m_baseTitle(new QLabel),
      m_candidateTitle(new QLabel),
      m_mode(new QComboBox),
      m_annotation(new QComboBox),
      m_offset(new QLabel),
      m_align(new QToolButton) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeToolBar());
    auto* sides = new QSplitter(Qt::Vertical);
    sides->addWidget(makeSide(m_baseTitle, m_baseView));
    sides->addWidget(makeSide(m_candidateTitle, m_candidateView));
    sides->setChildrenCollapsible(false);
    column->addWidget(sides, 1);
    m_baseView->setObjectName(QStringLiteral("baseTimeline"));
    m_candidateView->setObjectName(QStringLiteral("candidateTimeline"));
    const auto sameWidth = [](TimelineView* from, TimelineView* to) {
        connect(&from->timeline(), &timeline::TimelineWidget::labelWidthChanged, to,
                [to](int width) {
                    if (to->timeline().labelWidth() != width) {
                        to->timeline().setLabelWidth(width);
                    }
                });
    };
    sameWidth(m_baseView, m_candidateView);
    sameWidth(m_candidateView, m_baseView);
    connect(&state, &session::CompareState::shownChanged, this, &CompareTimelines::showPair);
    connect(&state, &session::CompareState::kernelSelected, this,
            &CompareTimelines::highlightKernel);
    connect(&state, &session::CompareState::kernelRequested, this, &CompareTimelines::goToKernel);
    connect(&state, &session::CompareState::stepRequested, this, &CompareTimelines::goToStep);
    connect(&m_base, &session::ViewState::selectionChanged, this, [this] { mirror(true); });
    connect(&m_candidate, &session::ViewState::selectionChanged, this, [this] { mirror(false); });
    for (session::ViewState* view : {&m_base, &m_candidate}) {
        connect(view, &session::ViewState::highlightChanged, this,
                [this, view] { dropKernel(*view); });
    }
    connect(&m_lock, &session::TimelineLock::changed, this, &CompareTimelines::tellLock);
    showPair();
}

QWidget* CompareTimelines::makeToolBar() {
    auto* bar = new QWidget(this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 5, 10, 5);
    m_mode->setObjectName(QStringLiteral("lockMode"));
    m_mode->addItems({tr("at the first step"), tr("at an annotation"), tr("at the first GPU work"),
                      tr("by hand: drag the candidate")});
    m_mode->setToolTip(
        tr("Which point the two timelines share; they then move together. By hand: drag the "
           "candidate's timeline into place"));
    m_annotation->setObjectName(QStringLiteral("lockAnnotation"));
    m_annotation->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_annotation->setMaximumWidth(kWidestAnnotation);
    m_offset->setTextFormat(Qt::PlainText);
    m_align->setText(tr("Align selection"));
    m_align->setObjectName(QStringLiteral("alignSelection"));
    m_align->setToolTip(tr("Align the selected kernel with its match"));
    auto* close = new QToolButton;
    close->setText(tr("One timeline"));
    close->setObjectName(QStringLiteral("closeCompare"));
    close->setToolTip(tr("Back to the timeline of the file in front"));
    row->addWidget(new QLabel(tr("Timelines aligned")));
    row->addWidget(m_mode);
    row->addWidget(m_annotation);
    row->addWidget(m_offset);
    row->addStretch(1);
    row->addWidget(m_align);
    row->addWidget(close);
    connect(m_mode, &QComboBox::activated, this,
            [this](int index) { m_lock.setMode(static_cast<session::TimelineLock::Mode>(index)); });
    connect(m_annotation, &QComboBox::activated, this,
            [this](int index) { m_lock.setAnnotation(m_lock.annotations().value(index)); });
    connect(m_align, &QToolButton::clicked, this, &CompareTimelines::alignSelection);
    connect(close, &QToolButton::clicked, this, &CompareTimelines::closeRequested);
    return bar;
}

QWidget* CompareTimelines::makeSide(QLabel* title, TimelineView* view) {
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    title->setContentsMargins(10, 3, 10, 3);
    title->setTextFormat(Qt::PlainText);
    title->setMinimumWidth(100);
    column->addWidget(title);
    column->addWidget(view, 1);
    return side;
}

void CompareTimelines::showPair() {
    const session::ComparedPair* pair = m_state.shown();
    const bool hasRuns = pair != nullptr && pair->run.base != nullptr;
    m_lock.setRuns(nullptr, nullptr);
    m_base.setTrace(hasRuns ? pair->run.base->trace : nullptr,
                    hasRuns ? pair->layout.base : nullptr);
    m_candidate.setTrace(hasRuns ? pair->run.candidate->trace : nullptr,
                         hasRuns ? pair->layout.candidate : nullptr);
    if (hasRuns) {
        m_lock.setRuns(pair->run.base.get(), pair->run.candidate.get());
        const auto& steps = pair->run.base->report.steps;
        if (m_lock.mode() == session::TimelineLock::Mode::FirstStep) {
            m_base.zoomTo({steps.front().span.start, steps.back().span.end});
        }
    }
    shareColors();
    const QSignalBlocker quiet(m_annotation);
    m_annotation->clear();
    for (const QString& name : m_lock.annotations()) {
        m_annotation->addItem(style::shownText(name));
    }
    tellTitles();
    tellLock();
}

// What became of a kernel has its colour, whatever it is called now.
void CompareTimelines::shareColors() {
    const session::ComparedPair* pair = m_state.shown();
    if (pair == nullptr || !pair->run.base) {
        return;
    }
    QHash<NameId, std::string> names;
    for (const compare::KernelChange& kernel : pair->comparison.kernels) {
        if (kernel.match == compare::MatchKind::Exact) {
            continue;
        }
        const std::string& before = kernel.parts.base.front().name;
        for (const compare::KernelPart& part : kernel.parts.candidate) {
            const auto name = m_candidate.trace()->names().find(part.name);
            // The one that changed most comes first. A name that both sides have keeps its colour.
            if (name && !names.contains(*name) && !m_base.trace()->names().find(part.name)) {
                names.insert(*name, before);
            }
        }
    }
    m_candidateView->timeline().setColorNames(names);
}

void CompareTimelines::mirror(bool fromBase) {
    const session::ComparedPair* pair = m_state.shown();
    if (m_mirroring || pair == nullptr || !pair->partners) {
        return;
    }
    m_mirroring = true;
    session::ViewState& from = fromBase ? m_base : m_candidate;
    session::ViewState& to = fromBase ? m_candidate : m_base;
    const auto partner = fromBase ? pair->partners->ofBase(from.selected())
                                  : pair->partners->ofCandidate(from.selected());
    to.select(partner ? partner->slice : trace::kNoSlice);
    if (partner) {
        m_state.selectMatch(partner->row);
    }
    m_mirroring = false;
    m_state.useView(from);
    tellTitles();
}

void CompareTimelines::highlightKernel() {
    const session::ComparedPair* pair = m_state.shown();
    const int selected = m_state.selectedKernel();
    std::optional<NameId> base;
    std::optional<NameId> candidate;
    if (pair != nullptr && pair->run.base && selected >= 0) {
        const compare::KernelChange& kernel =
            pair->comparison.kernels[static_cast<std::size_t>(selected)];
        // Where several kernels are one row, the one that takes most time.
        base = m_base.trace()->names().find(kernel.parts.base.front().name);
        candidate = m_candidate.trace()->names().find(kernel.parts.candidate.front().name);
    }
    m_highlighting = true;
    m_base.highlightName(base);
    m_candidate.highlightName(candidate);
    m_highlighting = false;
}

// Emphasis that ends on one side ends on both, and the kernel is selected no longer.
void CompareTimelines::dropKernel(const session::ViewState& view) {
    if (!m_highlighting && !view.highlightedName()) {
        m_state.selectKernel(-1);
        highlightKernel();
    }
}

void CompareTimelines::goToKernel(int kernel) {
    const session::ComparedPair* pair = m_state.shown();
    if (pair == nullptr || !pair->run.base || kernel < 0) {
        return;
    }
    const compare::KernelChange& row = pair->comparison.kernels[static_cast<std::size_t>(kernel)];
    const compare::MatchedKernels& matched = pair->comparison.matches.rows[row.row];
    const auto pairs = compare::pairUnits(matched);
    if (!pairs.empty()) {
        const std::uint32_t launch = matched.units.base[pairs.front().base].launch;
        const trace::SliceId slice = pair->run.base->launches[launch].slice;
        m_base.select(slice);
        m_base.reveal(slice);
        const trace::SliceId partner = m_candidate.selected();
        const bool isOff = partner != trace::kNoSlice &&
                           !m_candidate.visible().overlaps(m_candidate.trace()->span(partner));
        if (isOff) {
            alignSelection();
        }
    }
}

void CompareTimelines::goToStep(int row) {
    const session::ComparedPair* pair = m_state.shown();
    if (pair == nullptr || !pair->run.base) {
        return;
    }
    const auto at = static_cast<std::size_t>(row);
    const TimeSpan base = pair->run.base->report.steps[at].span;
    const TimeSpan candidate = pair->run.candidate->report.steps[at].span;
    m_lock.align(base.start, candidate.start);
    m_base.zoomTo({base.start, base.start + std::max(base.duration(), candidate.duration())});
}

void CompareTimelines::alignSelection() {
    if (m_base.selected() != trace::kNoSlice && m_candidate.selected() != trace::kNoSlice) {
        m_lock.align(m_base.trace()->start(m_base.selected()),
                     m_candidate.trace()->start(m_candidate.selected()));
    }
}

void CompareTimelines::tellLock() {
    m_mode->setCurrentIndex(static_cast<int>(m_lock.mode()));
    m_annotation->setVisible(m_lock.mode() == session::TimelineLock::Mode::Annotation);
    m_annotation->setCurrentIndex(
        static_cast<int>(m_lock.annotations().indexOf(m_lock.annotation())));
    if (!m_base.trace()) {
        m_offset->clear();
        return;
    }
    // Clocks of two runs have nothing in common: the position of the candidate's start decides.
    const TimeNs offset =
        m_base.trace()->extent().start + m_lock.offset() - m_candidate.trace()->extent().start;
    m_offset->setText(tr("candidate starts at %1%2")
                          .arg(offset > 0 ? QStringLiteral("−") : QString(),
                               timeText(offset < 0 ? -offset : offset)));
}

void CompareTimelines::tellTitles() {
    const session::ComparedPair* pair = m_state.shown();
    const auto title = [](const QString& what, const QString& name, const QString& slice) {
        return slice.isEmpty() ? QStringLiteral("%1: %2").arg(what, name)
                               : QStringLiteral("%1: %2 – %3").arg(what, name, slice);
    };
    m_baseTitle->setText(
        title(tr("Baseline"), pair != nullptr ? pair->title.base : QString(), sliceText(m_base)));
    m_candidateTitle->setText(title(tr("Candidate"),
                                    pair != nullptr ? pair->title.candidate : QString(),
                                    sliceText(m_candidate)));
    m_align->setEnabled(m_base.selected() != trace::kNoSlice &&
                        m_candidate.selected() != trace::kNoSlice);
}

}  // namespace kinetoscope::plots
