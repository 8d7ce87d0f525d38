// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/palette/PaletteModel.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace kinetoscope::app {

PaletteModel::PaletteModel(std::vector<PaletteEntry> entries, const QStringList& lastUsed,
                           QObject* parent)
    : QAbstractListModel(parent), m_entries(std::move(entries)) {
    for (const PaletteEntry& entry : m_entries) {
        const qsizetype place = entry.id.isEmpty() ? -1 : lastUsed.indexOf(entry.id);
        m_age.push_back(place < 0 ? std::numeric_limits<qsizetype>::max() : place);
    }
    setTyped({});
}

void PaletteModel::setTyped(const QString& typed) {
    beginResetModel();
    m_rows.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (auto match = fuzzyMatchWords(typed, m_entries[i].title, m_entries[i].detail)) {
            m_rows.push_back({i, std::move(*match)});
        }
    }
    std::ranges::sort(m_rows, {}, [this](const Row& row) {
        return std::tuple(-row.match.score, m_age[row.entry], row.entry);
    });
    endResetModel();
}

const PaletteEntry& PaletteModel::entry(int row) const {
    return m_entries[m_rows[static_cast<std::size_t>(row)].entry];
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const PaletteEntry& found = entry(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return found.title;
        case Qt::DecorationRole:
            return found.icon;
        case Qt::AccessibleDescriptionRole:
            return found.why.isEmpty() ? found.detail : found.why;
        case DetailRole:
            return found.detail;
        case KeysRole:
            return found.keys;
        case WhyRole:
            return found.why;
        case LettersRole: {
            QVariantList letters;
            for (const qsizetype at : m_rows[static_cast<std::size_t>(index.row())].match.letters) {
                letters.append(at);
            }
            return letters;
        }
        default:
            return {};
    }
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const {
    // Disabled actions can still be chosen: that shows the reason.
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren
                           : Qt::NoItemFlags;
}

}  // namespace kinetoscope::app
