// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/find/HitModel.h"

#include <algorithm>

#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

constexpr std::size_t kSortedAtOnce = 20'000;  // takes a few milliseconds

models::TableColumn column(const char* key, const QString& header, const QString& tip,
                           bool isText) {
    return {QString::fromLatin1(key), header, tip, isText ? Qt::AlignLeft : Qt::AlignRight,
            !isText};
}

query::SliceKey keyOf(int column) {
    switch (column) {
        case HitModel::Name:
            return query::SliceKey::Name;
        case HitModel::Category:
            return query::SliceKey::Category;
        case HitModel::Row:
            return query::SliceKey::Row;
        case HitModel::Start:
            return query::SliceKey::Start;
        default:
            return query::SliceKey::Duration;
    }
}

session::FindResult::Slices sorted(const session::FindResult& result,
                                   const session::TraceLayout& layout, int column,
                                   Qt::SortOrder order) {
    std::vector<trace::SliceId> slices = *result.hits;
    query::sortSlices(
        layout.lanes, layout.names, slices, keyOf(column),
        order == Qt::AscendingOrder ? query::SortOrder::Ascending : query::SortOrder::Descending);
    return std::make_shared<const std::vector<trace::SliceId>>(std::move(slices));
}

}  // namespace

HitModel::HitModel(QObject* parent)
    : ColumnTableModel(
          {column("name", tr("Name"), QString(), true),
           column("category", tr("Category"), tr("Category of the event"), true),
           column("row", tr("Row"), tr("Its thread or stream"), true),
           column("start_ns", tr("Start ms"), tr("Since the first event of the trace"), false),
           column("duration_ns", tr("Duration µs"), QString(), false)},
          parent),
      m_task([this](Result<Slices> hits) {
          // Without memory for it the order stays as it is.
          if (hits) {
              show(std::move(*hits));
          }
          emit busyChanged();
      }) {}

void HitModel::setResult(std::shared_ptr<const session::FindResult> result,
                         std::shared_ptr<session::TraceLayout> layout) {
    const bool sameTrace = m_result && result && m_result->trace == result->trace;
    m_result = std::move(result);
    m_layout = std::move(layout);
    if (!sameTrace) {
        show(nullptr);  // what is shown would be names of another trace
    }
    order();
}

void HitModel::sortItself(int column, Qt::SortOrder order) {
    m_column = column;
    m_order = order;
    this->order();
}

void HitModel::order() {
    m_task.cancel();
    if (!m_result || m_column < 0) {
        show(m_result ? m_result->hits : nullptr);
    } else if (m_result->hits->size() <= kSortedAtOnce) {
        show(sorted(*m_result, *m_layout, m_column, m_order));
    } else {
        m_task.start([result = m_result, layout = m_layout, column = m_column,
                      order = m_order](const std::stop_token&) -> Result<Slices> {
            return sorted(*result, *layout, column, order);
        });
    }
    emit busyChanged();
}

void HitModel::show(Slices hits) {
    replaceRows([&] { m_hits = std::move(hits); });
}

int HitModel::rowOf(trace::SliceId slice) const {
    if (!m_hits || slice == trace::kNoSlice) {
        return -1;
    }
    const auto found = std::ranges::find(*m_hits, slice);
    return found == m_hits->end() ? -1 : static_cast<int>(found - m_hits->begin());
}

int HitModel::rowOfLargest(int column) const {
    if (!m_hits || m_hits->empty() || column < Start) {
        return -1;
    }
    if (column == Start) {
        return rowOf(m_result->hits->back());  // they are by start
    }
    const auto found = std::ranges::find(
        *m_hits, m_result->durations.max,
        [this](trace::SliceId slice) { return m_result->trace->duration(slice); });
    return found == m_hits->end() ? -1 : static_cast<int>(found - m_hits->begin());
}

std::uint32_t HitModel::sourceRowCount() const {
    return m_hits ? static_cast<std::uint32_t>(m_hits->size()) : 0;
}

TimeNs HitModel::start(std::uint32_t row) const {
    return m_result->trace->start(at(row)) - m_result->trace->extent().start;
}

QString HitModel::cellText(std::uint32_t row, int column) const {
    const trace::Trace& trace = *m_result->trace;
    switch (column) {
        case Name:
            return models::toText(trace.name(at(row)));
        case Category:
            return models::toText(trace.categoryText(trace.categoryId(at(row))));
        case Row:
            return models::toText(m_layout->names.whole(m_layout->lanes.trackOf(at(row))));
        case Start:
            return QString::fromStdString(text::inUnit(start(row), text::kMilliseconds));
        default:
            return QString::fromStdString(
                text::inUnit(trace.duration(at(row)), text::kMicroseconds));
    }
}

query::SortKey HitModel::sortKey(std::uint32_t row, int column) const {
    const trace::Trace& trace = *m_result->trace;
    switch (column) {
        case Name:
            return trace.name(at(row));
        case Category:
            return trace.categoryText(trace.categoryId(at(row)));
        case Row:
            return shownKey(row, column);
        case Start:
            return start(row);
        default:
            return trace.duration(at(row));
    }
}

QVariant HitModel::cellExtra(std::uint32_t row, int column, int role) const {
    const trace::Trace& trace = *m_result->trace;
    if (role == Qt::ToolTipRole && column == Name) {
        return style::shownText(trace.name(at(row)), style::kMaxToolTipLetters);
    }
    if (role == Qt::ToolTipRole && column == Row) {
        return models::toText(m_layout->names.whole(m_layout->lanes.trackOf(at(row))));
    }
    if (role == models::SwatchRole && column == Name) {
        return style::shownText(trace.name(at(row)), style::kMaxToolTipLetters);
    }
    if (role == models::ToneRole && column == Category) {
        return static_cast<int>(models::CellTone::Muted);
    }
    return {};
}

QString HitModel::exportCell(std::uint32_t row, int column) const {
    switch (column) {
        case Start:
            return QString::number(start(row));
        case Duration:
            return QString::number(m_result->trace->duration(at(row)));
        default:
            return cellText(row, column);
    }
}

}  // namespace kinetoscope::panels
