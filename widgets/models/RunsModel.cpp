// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/RunsModel.h"

namespace kinetoscope::models {

namespace {

std::vector<TableColumn> runColumns() {
    const auto t = [](const char* text) { return QString::fromUtf8(text); };
    return {{t("role"), t("Role"), t("Role in the comparison"), Qt::AlignLeft, false},
            {t("name"), t("Run"), t("File, or name of a saved result"), Qt::AlignLeft, false},
            {t("kind"), t("Kind"), t("Opened, recorded or benchmarked"), Qt::AlignLeft, false},
            {t("gpu"), t("GPU"), t("First GPU named in the file"), Qt::AlignLeft, false},
            {t("details"), t("Holds"), t("What can be compared"), Qt::AlignLeft, false}};
}

QString kindText(session::Comparable::Kind kind) {
    switch (kind) {
        case session::Comparable::Kind::Trace:
            return RunsModel::tr("trace");
        case session::Comparable::Kind::Recording:
            return RunsModel::tr("recording");
        case session::Comparable::Kind::Kernels:
            return RunsModel::tr("bench kernels");
        case session::Comparable::Kind::Operators:
            return RunsModel::tr("bench operators");
        case session::Comparable::Kind::Modules:
            return RunsModel::tr("bench modules");
    }
    return {};
}

QString roleText(session::CompareRole role) {
    switch (role) {
        case session::CompareRole::Baseline:
            return RunsModel::tr("Baseline");
        case session::CompareRole::Candidate:
            return RunsModel::tr("Candidate");
        case session::CompareRole::None:
            break;
    }
    return QStringLiteral("–");
}

}  // namespace

RunsModel::RunsModel(session::CompareState& state, QObject* parent)
    : ColumnTableModel(runColumns(), parent), m_state(state) {
    connect(&state, &session::CompareState::itemsChanged, this, [this] { refilter(); });
    refilter();
}

const session::Comparable& RunsModel::item(int row) const {
    return m_state.items()[sourceRow(row)];
}

std::uint32_t RunsModel::sourceRowCount() const {
    return static_cast<std::uint32_t>(m_state.items().size());
}

QString RunsModel::cellText(std::uint32_t row, int column) const {
    const session::Comparable& item = m_state.items()[row];
    switch (column) {
        case Role:
            return roleText(m_state.role(item.id));
        case Name:
            return item.title;
        case Kind:
            return kindText(item.kind);
        case Gpu:
            return item.gpu;
        default:
            return item.details;
    }
}

query::SortKey RunsModel::sortKey(std::uint32_t row, int column) const {
    return shownKey(row, column);
}

QVariant RunsModel::cellExtra(std::uint32_t row, int column, int role) const {
    const session::Comparable& item = m_state.items()[row];
    if (role == ToneRole && column == Role) {
        const session::CompareRole part = m_state.role(item.id);
        return static_cast<int>(part == session::CompareRole::None ? CellTone::Muted
                                                                   : CellTone::Link);
    }
    if (role == Qt::ToolTipRole && column == Name) {
        return item.id;
    }
    return {};
}

}  // namespace kinetoscope::models
