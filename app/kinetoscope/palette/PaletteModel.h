// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QIcon>
#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

#include "app/kinetoscope/palette/FuzzyMatch.h"

namespace kinetoscope::app {

/// Something that can be done by its name. Texts are plain.
struct PaletteEntry {
    QString id;      ///< remembered among those used last; empty: it is not
    QString title;   ///< "Save screenshot…"
    QString detail;  ///< where else it is found: "File"
    QString keys;    ///< as they are called on this system; empty: none
    QString why;     ///< why it cannot be done now; empty: it can
    QIcon icon;
    std::function<void()> run;
};

/// The entries that fit what was typed, best first; of equally good ones those used last come
/// first, all others in the order given.
class PaletteModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { DetailRole = Qt::UserRole, KeysRole, WhyRole, LettersRole };

    /// `lastUsed`: ids, the newest first.
    PaletteModel(std::vector<PaletteEntry> entries, const QStringList& lastUsed,
                 QObject* parent = nullptr);

    void setTyped(const QString& typed);
    [[nodiscard]] const PaletteEntry& entry(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        std::size_t entry;
        FuzzyMatch match;
    };

    std::vector<PaletteEntry> m_entries;
    std::vector<qsizetype> m_age;  ///< by entry: place among those used last
    std::vector<Row> m_rows;
};

}  // namespace kinetoscope::app
