// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/MeasuredKernels.h"

#include <QFileDialog>
#include <QFileInfo>

namespace kinetoscope::panels {

MeasuredKernels::MeasuredKernels(const PanelContext& context, QObject* parent)
    : QObject(parent),
      m_session(context.session),
      m_settings(context.settings),
      m_task([this](Result<Joined> joined) { take(std::move(joined)); }) {
    connect(&m_session.reports(), &session::ReportRunner::reportChanged, this,
            &MeasuredKernels::join);
}

void MeasuredKernels::choose(QWidget* over) {
    const QString path = QFileDialog::getOpenFileName(
        over, tr("Open what ncu --csv has printed"), m_settings.lastFolder.value(),
        tr("Tables of Nsight Compute (*.csv *.csv.gz *.txt);;All files (*)"));
    if (!path.isEmpty()) {
        open(path);
    }
}

void MeasuredKernels::open(const QString& path) {
    m_settings.lastFolder.set(QFileInfo(path).absolutePath());
    m_path = path;
    m_joined = {};
    join();
}

void MeasuredKernels::close() {
    m_task.cancel();
    m_path.clear();
    m_error.clear();
    m_joined = {};
    emit changed();
}

void MeasuredKernels::join() {
    const session::ReportRunner& reports = m_session.reports();
    if (m_path.isEmpty()) {
        return;
    }
    m_error.clear();
    m_joined.table = nullptr;  // its names are those of the report before
    m_trace = reports.traceOf();
    m_task.start([path = m_path.toStdString(), profile = m_joined.profile, trace = m_trace,
                  report = reports.report()](const std::stop_token&) -> Result<Joined> {
        Joined joined{profile, nullptr};
        if (!joined.profile) {
            auto read = ncu::readProfile(path);
            if (!read) {
                return tl::unexpected(read.error());
            }
            joined.profile = std::make_shared<const ncu::Profile>(std::move(*read));
        }
        if (trace && report) {
            joined.table = std::make_shared<const ncu::Table>(
                ncu::joinProfile(*trace, report->kernels, *joined.profile, path));
        }
        return joined;
    });
    emit changed();
}

void MeasuredKernels::take(Result<Joined> joined) {
    m_error = joined ? QString() : QString::fromStdString(joined.error().message);
    m_joined = joined ? *std::move(joined) : Joined();
    emit changed();
}

}  // namespace kinetoscope::panels
