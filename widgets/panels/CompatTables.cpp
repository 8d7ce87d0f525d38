// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/CompatTables.h"

#include <QGridLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <span>

#include "core/text/Format.h"
#include "widgets/models/Text.h"
#include "widgets/panels/parts/FigureGrid.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/PlainText.h"

namespace kinetoscope::panels {

namespace {

constexpr std::size_t kMaxKernels = 10;  // of a category; what is copied has them all
constexpr int kDigits = 6;               // as PyTorch prints numbers
constexpr int kDecimals = 4;             // of milliseconds in the table
constexpr int kNarrowestName = 90;

enum TableColumn { KernelColumn, TimeColumn, CountColumn, ShareColumn };

QString share(double part, double whole) {
    return QString::fromStdString(text::formatPercent(part, whole));
}

QString sixDigits(double value) {
    return QString::number(value, 'g', kDigits);
}

QString milliseconds(double value) {
    return QString::number(value, 'f', kDecimals);
}

FigureGrid* makeFigures(const analysis::CompatReport& report) {
    auto* grid = new FigureGrid;
    const QString wall = QObject::tr("%1 ms").arg(sixDigits(report.wallMs));
    grid->addLine({.name = QObject::tr("Wall time"),
                   .value = report.wallMeasured ? wall : QObject::tr("%1, not measured").arg(wall),
                   .toolTip = models::figureTip("wall_ms")});
    grid->addLine({.name = QObject::tr("GPU busy"),
                   .value = share(report.gpuBusy * report.wallMs, report.wallMs),
                   .toolTip = models::figureTip("gpu_busy")});
    const QString reason = models::toText(report.reason);
    const auto add = [&](const QString& name, const std::optional<double>& part, const char* key) {
        grid->addLine({.name = name,
                       .value = part ? share(*part, 1.0) : reason,
                       .toolTip = part ? models::figureTip(key)
                                       : style::plainToolTip(reason, QObject::tr("None because"))});
    };
    add(QObject::tr("Utilization"), report.utilization, "utilization");
    add(QObject::tr("mm/conv utilization"), report.mmConvUtilization, "mm_conv_utilization");
    return grid;
}

/// Lines of "kernel, ms, count, share of the wall time" in columns that all categories share.
class KernelGrid final : public QWidget {
public:
    KernelGrid() : m_grid(new QGridLayout(this)) {
        m_grid->setContentsMargins(0, 0, 0, 0);
        m_grid->setHorizontalSpacing(10);
        m_grid->setVerticalSpacing(3);
        m_grid->setColumnStretch(KernelColumn, 1);
        m_grid->setColumnMinimumWidth(KernelColumn, kNarrowestName);
        addLine({QObject::tr("Per run"), QObject::tr("ms"), QObject::tr("Count"),
                 QObject::tr("Of wall")},
                QPalette::PlaceholderText);
    }

    void addCategory(const analysis::CompatCategory& category, double wallMs) {
        m_grid->setRowMinimumHeight(m_rows++, 4);
        addLine({models::toText(category.name),
                 milliseconds(category.totalMs),
                 {},
                 share(category.totalMs, wallMs)},
                QPalette::WindowText, QFont::DemiBold);
        const auto shown = std::min(category.kernels.size(), kMaxKernels);
        for (const analysis::CompatKernel& kernel : std::span(category.kernels).first(shown)) {
            addLine({style::shownText(kernel.key), milliseconds(kernel.ms), sixDigits(kernel.count),
                     share(kernel.ms, wallMs)},
                    QPalette::WindowText);
        }
        if (category.kernels.size() > shown) {
            addLine({QObject::tr("and %1 more").arg(category.kernels.size() - shown), {}, {}, {}},
                    QPalette::PlaceholderText);
        }
    }

private:
    void addLine(const QStringList& cells, QPalette::ColorRole role,
                 QFont::Weight weight = QFont::Normal) {
        for (int column = 0; column < cells.size(); ++column) {
            auto* label = new style::ElidedLabel(
                cells[column], column == KernelColumn ? Qt::AlignLeft : Qt::AlignRight);
            label->setForegroundRole(role);
            QFont font = label->font();
            font.setWeight(weight);
            label->setFont(font);
            if (column != KernelColumn) {
                label->setMinimumWidth(label->sizeHint().width());  // numbers stay whole
            }
            m_grid->addWidget(label, m_rows, column);
        }
        ++m_rows;
    }

    QGridLayout* m_grid;
    int m_rows = 0;
};

}  // namespace

CompatTables::CompatTables(const analysis::CompatReport& report, QWidget* parent)
    : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(9);
    layout->addWidget(makeFigures(report));
    if (!report.categories.empty()) {
        auto* kernels = new KernelGrid;
        for (const analysis::CompatCategory& category : report.categories) {
            kernels->addCategory(category, report.wallMs);
        }
        layout->addWidget(kernels);
    }
}

}  // namespace kinetoscope::panels
