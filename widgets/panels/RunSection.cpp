// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/RunSection.h"

#include <QFileInfo>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <span>

#include "core/text/Format.h"
#include "core/text/Units.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/FigureGrid.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

constexpr qsizetype kMaxFieldLength = 160;
constexpr std::size_t kMaxFields = 200;  // and devices; each line is widgets of its own

// Keys that have a line of their own above, or mean nothing to the user.
constexpr std::array kShownElsewhere{"deviceProperties", "distributedInfo", "baseTimeNanoseconds",
                                     "displayTimeUnit"};

QString count(std::uint64_t value) {
    return QString::fromStdString(text::formatCount(static_cast<std::int64_t>(value)));
}

void addFile(FigureGrid& grid, const trace::Trace& trace) {
    const trace::RunInfo& info = trace.info();
    const QFileInfo file(models::toText(info.path));
    grid.addLine({.name = QObject::tr("File"),
                  .value = file.fileName(),
                  .toolTip = style::plainToolTip(models::toText(info.path))});
    QString format = models::toText(info.format);
    if (info.textBytes > 0) {
        format += QStringLiteral(", ") + QString::fromStdString(text::formatBytes(info.textBytes));
    }
    grid.addLine({.name = QObject::tr("Format"), .value = format});
    grid.addLine({.name = QObject::tr("Events read"),
                  .value = QObject::tr("%1 (%2 slices)")
                               .arg(count(trace.log().events), count(trace.sliceCount()))});
    grid.addLine(
        {.name = QObject::tr("Length"),
         .value = QString::fromStdString(text::formatDuration(trace.extent().duration()))});
    if (info.baseTimeNs && trace.sliceCount() > 0) {
        const QString begun =
            models::toText(text::formatUtc(*info.baseTimeNs, trace.extent().start));
        const qsizetype fraction = begun.indexOf(QLatin1Char('.'));
        grid.addLine({.name = QObject::tr("Begun"),
                      .value = fraction < 0 ? begun : begun.left(fraction) + QStringLiteral(" UTC"),
                      .toolTip = style::plainToolTip(begun)});
    }
}

void addDevice(FigureGrid& grid, const trace::DeviceProperties& device) {
    QString text = models::toText(device.name);
    if (device.multiprocessors > 0) {
        text += QObject::tr(", %1 SMs").arg(device.multiprocessors);
    }
    if (device.computeMajor > 0) {
        text += QObject::tr(", compute %1.%2").arg(device.computeMajor).arg(device.computeMinor);
    }
    if (device.totalMemoryBytes > 0) {
        text += QStringLiteral(", ") +
                QString::fromStdString(text::formatBytes(device.totalMemoryBytes));
    }
    grid.addLine({.name = QObject::tr("Device %1").arg(device.id),
                  .value = text,
                  .toolTip = style::plainToolTip(models::toText(device.json))});
}

void addFields(FigureGrid& grid, const trace::RunInfo& info) {
    const auto shown = std::min(info.fields.size(), kMaxFields);
    for (const trace::RunField& field : std::span(info.fields).first(shown)) {
        const bool elsewhere = std::any_of(kShownElsewhere.begin(), kShownElsewhere.end(),
                                           [&](const char* key) { return field.key == key; });
        if (elsewhere) {
            continue;
        }
        const QString value = style::shownText(field.json, style::kMaxToolTipLetters);
        grid.addLine({.name = models::toText(field.key),
                      .value = style::shownText(value, kMaxFieldLength),
                      .toolTip = style::plainToolTip(value)});
    }
    if (info.fields.size() > shown) {
        grid.addLine({.name = QObject::tr("and %1 more").arg(info.fields.size() - shown),
                      .value = QString()});
    }
}

}  // namespace

RunSection::RunSection(const trace::Trace& trace, QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(7);
    layout->addWidget(makeHeading(tr("Run"), QString()));
    auto* grid = new FigureGrid;
    layout->addWidget(grid);
    addFile(*grid, trace);
    const auto& devices = trace.info().devices;
    for (const trace::DeviceProperties& device :
         std::span(devices).first(std::min(devices.size(), kMaxFields))) {
        addDevice(*grid, device);
    }
    if (const auto& distributed = trace.info().distributed) {
        grid->addLine({.name = tr("Distributed"),
                       .value = tr("%1, rank %2 of %3")
                                    .arg(models::toText(distributed->backend),
                                         QString::number(distributed->rank),
                                         QString::number(distributed->worldSize))});
    }
    addFields(*grid, trace.info());
}

}  // namespace kinetoscope::panels
