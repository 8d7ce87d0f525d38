// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/details/DetailText.h"

#include <algorithm>
#include <span>

#include "core/query/EventDetails.h"
#include "core/query/RowNames.h"
#include "core/text/Format.h"
#include "widgets/models/Text.h"

namespace kinetoscope::models {

namespace {

constexpr std::size_t kMaxRows = 5000;  // of the file's members
constexpr int kMaxLevel = 8;            // beyond it there is no room on the right

}  // namespace

void heading(Lines& lines, const char* text) {
    lines.push_back({QString::fromUtf8(text), QString(), 0, true, {}});
}

void add(Lines& lines, const char* label, const QString& value, session::Selection link) {
    lines.push_back({QString::fromUtf8(label), value, 0, false, link});
}

QString exactTime(TimeNs ns) {
    return QString::fromStdString(text::formatDuration(ns)) +
           QStringLiteral("  (%1 ns)").arg(QString::fromStdString(text::formatCount(ns)));
}

QString shortTime(double ns) {
    return QString::fromStdString(text::formatDuration(static_cast<TimeNs>(ns)));
}

QString linkText(const trace::Trace& trace, trace::SliceId slice) {
    return QStringLiteral("%1  (%2)")
        .arg(toText(trace.name(slice)), shortTime(static_cast<double>(trace.duration(slice))));
}

void addFileRows(Lines& lines, const trace::Trace& trace, std::uint64_t offset) {
    const auto rows = query::eventDetailsAt(trace, offset);
    if (!rows) {
        heading(lines, "Arguments");
        add(lines, "Not available", toText(rows.error().message));
        return;
    }
    Lines arguments;
    Lines fields;
    bool inArguments = false;
    for (const query::DetailRow& row : std::span(*rows).first(std::min(rows->size(), kMaxRows))) {
        if (row.level == 0) {
            inArguments = row.key == "args" && row.value.empty();
            if (inArguments) {
                continue;
            }
        }
        (inArguments ? arguments : fields)
            .push_back({toText(row.key),
                        toText(row.value),
                        std::min(row.level - (inArguments ? 1 : 0), kMaxLevel),
                        false,
                        {}});
    }
    if (!arguments.empty()) {
        heading(lines, "Arguments");
        lines.insert(lines.end(), arguments.begin(), arguments.end());
    }
    heading(lines, "As written in the file");
    lines.insert(lines.end(), fields.begin(), fields.end());
    if (rows->size() > kMaxRows) {
        add(lines, "", QStringLiteral("and %1 more").arg(rows->size() - kMaxRows));
    }
    add(lines, "Byte offset",
        QString::fromStdString(text::formatCount(static_cast<std::int64_t>(offset))));
}

QString trackTitle(const query::LaneIndex& lanes, trace::TrackId track) {
    return toText(query::RowNames(lanes).whole(track));
}

}  // namespace kinetoscope::models
