// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/NotesModel.h"

#include <algorithm>

#include "core/text/Units.h"
#include "widgets/models/Text.h"

namespace kinetoscope::panels {

namespace {

std::vector<models::TableColumn> noteColumns() {
    using S = QString;
    return {{S::fromLatin1("start_ns"), S::fromLatin1("When ms"),
             S::fromLatin1("Since the first event of the trace"), Qt::AlignRight, false},
            {S::fromLatin1("length_ns"), S::fromLatin1("Length ms"),
             S::fromLatin1("Length of the noted time; none: a point in time")},
            {S::fromLatin1("text"), S::fromLatin1("Note"), S::fromLatin1("F2 edits it"),
             Qt::AlignLeft, false}};
}

}  // namespace

NotesModel::NotesModel(QObject* parent) : FigureTableModel(noteColumns(), parent) {}

void NotesModel::setNotes(std::vector<sidecar::Note> notes, TimeNs origin) {
    replaceRows([&] {
        m_notes = std::move(notes);
        m_origin = origin;
    });
}

int NotesModel::rowOf(const sidecar::Note& note) const {
    const auto found = std::ranges::find(m_notes, note);
    return found == m_notes.end() ? -1
                                  : shownRow(static_cast<std::uint32_t>(found - m_notes.begin()));
}

Qt::ItemFlags NotesModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = FigureTableModel::flags(index);
    return index.isValid() && index.column() == Text ? usual | Qt::ItemIsEditable : usual;
}

bool NotesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != Text || role != Qt::EditRole) {
        return false;
    }
    const sidecar::Note changed = note(index.row());  // the rows may be others afterwards
    emit textEntered(changed, value.toString());
    return true;
}

double NotesModel::number(std::uint32_t row, int column) const {
    const TimeSpan span = m_notes[row].span;
    return static_cast<double>(column == Start ? span.start - m_origin : span.duration());
}

std::uint32_t NotesModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_notes.size());
}

QString NotesModel::cellText(std::uint32_t row, int column) const {
    if (column == Text) {
        return models::toText(m_notes[row].text);
    }
    const bool none = column == Length && m_notes[row].span.empty();
    return none ? QString()
                : QString::fromStdString(text::inUnit(number(row, column), text::kMilliseconds));
}

QVariant NotesModel::cellExtra(std::uint32_t row, int column, int role) const {
    if (role == Qt::EditRole && column == Text) {
        return cellText(row, column);
    }
    return {};
}

bool NotesModel::matches(std::uint32_t row, std::string_view filter) const {
    return QString::fromStdString(m_notes[row].text)
        .contains(QString::fromUtf8(filter.data(), static_cast<qsizetype>(filter.size())),
                  Qt::CaseInsensitive);
}

}  // namespace kinetoscope::panels
