// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/CompareModel.h"
#include "widgets/models/RunsModel.h"
#include "widgets/plots/TimelineView.h"
#include "widgets/timeline/TimelineWidget.h"

namespace kinetoscope {

/// Three steps of 100 µs with kernels of a CPU thread in each; `shift` moves all of it, `slower`
/// percent go to "alpha". Without `gpu` it does not say what it ran on.
inline QByteArray comparedTraceText(int shift, int slower, bool fused,
                                    const QByteArray& gpu = QByteArray()) {
    QByteArray events;
    int id = 0;
    const auto add = [&](const QByteArray& event) {
        events += (events.isEmpty() ? "" : ",\n") + event;
    };
    const auto launch = [&](const char* op, const char* kernel, int at, double duration) {
        ++id;
        add(QString("{'ph':'X','cat':'cpu_op','name':'%1','pid':1,'tid':1,'ts':%2,'dur':3,"
                    "'args':{'External id':%3,'Input Dims':[[64,64]]}}")
                .arg(op)
                .arg(at)
                .arg(id)
                .toUtf8());
        add(QString("{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':1,'tid':1,"
                    "'ts':%1,'dur':1,'args':{'External id':%2,'correlation':%2}}")
                .arg(at + 1)
                .arg(id)
                .toUtf8());
        add(QString("{'ph':'X','cat':'kernel','name':'%1','pid':0,'tid':7,'ts':%2,'dur':%3,"
                    "'args':{'External id':%4,'correlation':%4,'device':0,'stream':7,"
                    "'grid':[1,1,1],'block':[128,1,1]}}")
                .arg(kernel)
                .arg(at + 4)
                .arg(duration)
                .arg(id)
                .toUtf8());
    };
    for (int step = 0; step < 3; ++step) {
        const int start = shift + 1000 + 100 * step;
        add(QString("{'ph':'X','cat':'user_annotation','name':'ProfilerStep#%1','pid':1,'tid':1,"
                    "'ts':%2,'dur':95}")
                .arg(step)
                .arg(start)
                .toUtf8());
        for (int i = 0; i < 2; ++i) {
            launch("aten::mm", "alpha", start + 2 + 40 * i, 4.0 * (100 + slower) / 100);
            launch("aten::relu", "beta", start + 12 + 40 * i, 5.0);
            if (fused) {
                launch("triton_poi_fused_add_gelu_0", "triton_poi_fused_add_gelu_0",
                       start + 22 + 40 * i, 5.0);
            } else {
                launch("aten::add", "add_kernel", start + 22 + 40 * i, 3.0);
                launch("aten::gelu", "gelu_kernel", start + 30 + 40 * i, 4.0);
            }
        }
    }
    const QByteArray devices =
        gpu.isEmpty() ? gpu : "'deviceProperties':[{'id':0,'name':'" + gpu + "'}],\n";
    QByteArray text = "{" + devices + "'traceEvents':[\n" + events + "\n]}\n";
    return text.replace('\'', '"');
}

struct ComparedWindow {
    explicit ComparedWindow(const QByteArray& gpu = {}, const QByteArray& otherGpu = {}) {
        window.resize(1400, 900);
        window.show();
        QStringList paths;
        add("base.json", comparedTraceText(0, 0, false, gpu), paths);
        add("slower.json", comparedTraceText(5000, 10, false, otherGpu), paths);
        add("fused.json", comparedTraceText(9000, 0, true), paths);
        window.openFiles(paths);
        opened = waitFor([&] { return window.session().runs().size() == 3; });
        window.docks().showPanel("runs");
    }
    void add(const char* name, const QByteArray& text, QStringList& paths) {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size()) {
            paths << file.fileName();
        }
    }

    template <class T>
    T* part(const char* panel, const char* name) {
        return window.docks()
            .panel(QString::fromLatin1(panel))
            ->findChild<T*>(QString::fromLatin1(name));
    }
    QTableView* changes() { return part<QTableView>("compare", "changes"); }
    session::Session& session() { return window.session(); }
    session::CompareState& state() { return session().compare(); }

    QModelIndex run(const char* name, int column) {
        const auto* model = part<QTableView>("runs", "runs")->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, models::RunsModel::Name).data().toString() ==
                QLatin1String(name)) {
                return model->index(row, column);
            }
        }
        return {};
    }
    QString runCell(const char* name, int column) { return run(name, column).data().toString(); }
    void clickRun(const char* name) {
        auto* table = part<QTableView>("runs", "runs");
        const QModelIndex index = run(name, models::RunsModel::Name);
        table->scrollTo(index);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    }
    void click(const char* button) {
        QTest::mouseClick(part<QAbstractButton>("runs", button), Qt::LeftButton);
    }
    bool compare(const char* base, const char* candidate) {
        clickRun(base);
        click("markBaseline");
        clickRun(candidate);
        click("markCandidate");
        QSignalSpy done(&state(), &session::CompareState::compared);
        click("compare");
        return waitFor([&] { return done.count() > 0; }) && state().error().isEmpty();
    }
    int rowOf(const QString& name) {
        const auto* model = changes()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, models::CompareModel::Name).data().toString() == name) {
                return row;
            }
        }
        return -1;
    }
    QString cell(const QString& name, int column) {
        return changes()->model()->index(rowOf(name), column).data().toString();
    }
    void clickRow(const QString& name, bool twice = false) {
        const QModelIndex index =
            changes()->model()->index(rowOf(name), models::CompareModel::Name);
        changes()->scrollTo(index);
        const QPoint at = changes()->visualRect(index).center();
        QTest::mouseClick(changes()->viewport(), Qt::LeftButton, {}, at);
        if (twice) {
            QTest::mouseDClick(changes()->viewport(), Qt::LeftButton, {}, at);
        }
    }
    template <class T>
    T* chart() {
        auto* tabs = part<QTabWidget>("compare", "compareCharts");
        T* found = tabs->findChild<T*>();
        tabs->setCurrentWidget(found);
        return found;
    }
    void clickSlice(plots::TimelineView& view, trace::SliceId slice) {
        timeline::TimelineWidget& timeline = view.timeline();
        timeline.showRowOf(slice);
        const auto box = timeline.sliceBox(slice);
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, box->center().toPoint());
    }

    QTemporaryDir folder;
    session::Settings settings{session::Settings::InMemory{}};
    app::MainWindow window{settings};
    bool opened = false;
};

inline trace::SliceId sliceOf(const trace::Trace& trace, std::string_view name, int which) {
    for (trace::SliceId slice = 0; slice < trace.sliceCount(); ++slice) {
        if (trace.name(slice) == name && which-- == 0) {
            return slice;
        }
    }
    return trace::kNoSlice;
}

}  // namespace kinetoscope
