// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of every grouping of the Kernels panel show the launches that they count.
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <map>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "core/query/LaunchLinks.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/CategoryModel.h"
#include "widgets/models/KernelTableModel.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::app;
using namespace kinetoscope::models;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;

namespace {

const QString kSeveralStreams =
    QStringLiteral(KINETOSCOPE_SOURCE_DIR "/tests/data/traces/lstm_fwd_bwd.json.gz");

struct Shown {
    explicit Shown(const QString& path = samplePath()) {
        window.show();
        window.docks().showPanel(QStringLiteral("kernels"));
        window.openFiles({path});
        opened = waitFor([&] { return reports().report() != nullptr; });
    }
    ReportRunner& reports() { return window.session().reports(); }
    template <class T>
    T* part(const char* name) {
        return window.docks()
            .panel(QStringLiteral("kernels"))
            ->findChild<T*>(QString::fromLatin1(name));
    }
    QTableView* kernels() { return part<QTableView>("kernels"); }
    QTableView* categories() { return part<QTableView>("categories"); }
    bool group(const char* id, GroupBy by) {
        auto* box = part<QComboBox>("group");
        box->setCurrentIndex(box->findData(QString::fromLatin1(id)));
        return waitFor([&] { return reports().report() && reports().report()->group == by; });
    }
    void clickCategory(const QString& name) {
        const auto* model = categories()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const QModelIndex cell = model->index(row, CategoryModel::Name);
            if (cell.data().toString() == name) {
                categories()->scrollTo(cell);
                QTest::mouseClick(categories()->viewport(), Qt::LeftButton, {},
                                  categories()->visualRect(cell).center());
            }
        }
    }
    /// Launches by name of a kernel, as the table shows them.
    std::map<QString, int> launches() {
        std::map<QString, int> counts;
        const auto* model = kernels()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const QString name =
                model->index(row, KernelTableModel::Name).data(SwatchRole).toString();
            counts[name] +=
                model->index(row, KernelTableModel::Count).data().toString().remove(',').toInt();
        }
        return counts;
    }
    /// The same, counted launch by launch.
    template <class Keep>
    std::map<QString, int> counted(Keep keep) {
        const Trace& trace = *window.view().trace();
        std::map<QString, int> counts;
        for (GpuOpId id = 0; id < trace.gpuOperations().size(); ++id) {
            const SliceId slice = trace.gpuOperations()[id].slice;
            if (trace.category(slice) == Category::Kernel && keep(id)) {
                ++counts[QString::fromStdString(std::string(trace.name(slice)))];
            }
        }
        return counts;
    }

    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};
    bool opened = false;
};

}  // namespace

class KernelGroupsTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() { failOnQtWarnings(); }

    void namesAreDrawnUnlike() {
        QTemporaryDir folder;
        QByteArray text = "[";
        int at = 0;
        for (const char* name :
             {"nvjet_sm90_tst_96x128_64x6_2x1_v_bz_NTT", "nvjet_sm90_tst_64x96_64x8_4x2_v_bz_NTT",
              "nvjet_sm90_tst_96x128_64x6_2x1_v_bz_NNN",
              "void at::native::vectorized_elementwise_kernel<4, "
              "at::native::CUDAFunctor_add<float>,"
              " std::array<char*, 3ul> >(int)",
              "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>,"
              " std::array<char*, 1ul> >(int)"}) {
            QByteArray event =
                R"({"ph":"X","cat":"kernel","name":"NAME","pid":0,"tid":7,"ts":TIME,"dur":5,
"args":{"device":0,"stream":7}},)";
            text += event.replace("NAME", name).replace("TIME", QByteArray::number(10 * at++));
        }
        text.back() = ']';
        QFile file(folder.filePath(QStringLiteral("names.json")));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) > 0);
        file.close();
        Shown shown(file.fileName());
        QVERIFY(shown.opened);
        shown.window.resize(1280, 800);
        QTRY_COMPARE(shown.kernels()->model()->rowCount(), at);
        QApplication::processEvents();
        QList<QImage> drawn;
        for (int row = 0; row < at; ++row) {
            const QModelIndex cell = shown.kernels()->model()->index(row, KernelTableModel::Name);
            const QRect behindTheSwatch = shown.kernels()->visualRect(cell).adjusted(24, 2, -2, -2);
            drawn.append(shown.kernels()->viewport()->grab(behindTheSwatch).toImage());
            QVERIFY2(drawn.count(drawn.back()) == 1, qPrintable(cell.data().toString()));
        }
    }

    void aLaunchingOperatorShowsItsLaunches() {
        Shown shown;
        QVERIFY(shown.opened && shown.group("operator", GroupBy::Operator));
        const Trace& trace = *shown.window.view().trace();
        const query::LaunchLinks links(trace);
        const auto all = shown.launches();
        const QString name = QStringLiteral("aten::addmm");
        shown.clickCategory(name);
        const auto expected = shown.counted([&](GpuOpId id) {
            const SliceId launcher = links.launchingOperator(id);
            return launcher != kNoSlice && trace.name(launcher) == "aten::addmm";
        });
        QVERIFY(!expected.empty() && expected.size() < all.size());
        QTRY_VERIFY(shown.launches() == expected);
        shown.categories()->clearSelection();
        QCOMPARE(shown.launches(), all);
    }

    void aStreamShowsItsLaunches() {
        Shown shown(kSeveralStreams);
        QVERIFY(shown.opened && shown.group("stream", GroupBy::Stream));
        const Trace& trace = *shown.window.view().trace();
        const auto stream = trace.gpuOperations()[0].stream;
        const auto gpu = trace.gpuOperations()[0].gpu;
        shown.clickCategory(QStringLiteral("GPU %1 stream %2").arg(gpu).arg(stream));
        const auto expected = shown.counted([&](GpuOpId id) {
            return trace.gpuOperations()[id].stream == stream &&
                   trace.gpuOperations()[id].gpu == gpu;
        });
        QVERIFY(!expected.empty() && expected != shown.counted([](GpuOpId) { return true; }));
        QTRY_VERIFY(!shown.window.docks().busy() && shown.launches() == expected);
        // The choice stays with another window, and goes with another grouping.
        QVERIFY(shown.group("family", GroupBy::Family));
        QTRY_VERIFY(shown.launches() == shown.counted([](GpuOpId) { return true; }));
    }

    void headersSayWhatIsCounted() {
        Shown shown;
        QVERIFY(shown.opened);
        const auto header = [](QTableView* table, int column) {
            return table->model()->headerData(column, Qt::Horizontal).toString();
        };
        QCOMPARE(header(shown.categories(), CategoryModel::Share), QStringLiteral("Of GPU work"));
        QCOMPARE(header(shown.categories(), CategoryModel::Count), QStringLiteral("Operations"));
        QCOMPARE(header(shown.kernels(), KernelTableModel::Share), QStringLiteral("Of kernels"));
        QCOMPARE(header(shown.kernels(), KernelTableModel::Count), QStringLiteral("Launches"));
    }

    // A table of ncu --csv has columns beside the kernels that it measured, and goes again.
    void nsightComputeStandsBesideKernels() {
        Shown shown;
        QVERIFY(shown.opened);
        const auto* model = shown.kernels()->model();
        const int before = model->columnCount();
        const QString name = model->index(0, KernelTableModel::Name).data(SwatchRole).toString();
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("ncu.csv"));
        QFile file(path);
        QVERIFY(file.open(QFile::WriteOnly));
        const auto quoted = [](const QString& text) {
            return QString(text).replace(QLatin1Char('"'), QLatin1String("\"\"")).toUtf8();
        };
        file.write(
            "==PROF== Connected to process 1\n\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\","
            "\"sm__throughput.avg.pct_of_peak_sustained_elapsed\"\n\"\",\"\",\"us\",\"%\"\n"
            "\"0\",\"" +
            quoted(name) +
            "\",\"2.5\",\"40\"\n"
            "\"1\",\"" +
            quoted(name) +
            "\",\"3.5\",\"50\"\n"
            "\"2\",\"of another program\",\"1\",\"1\"\n");
        file.close();
        shown.window.openFiles({path});
        QTRY_COMPARE(model->columnCount(), before + 2);
        const int time = KernelTableModel::Measured;
        QCOMPARE(model->index(0, time).data().toString(), QStringLiteral("3.00"));
        QCOMPARE(model->index(0, time + 1).data().toString(), QStringLiteral("45.00"));
        QCOMPARE(model->index(1, time).data().toString(), QStringLiteral("–"));
        QCOMPARE(model->headerData(time + 1, Qt::Horizontal).toString(), QStringLiteral("SM %"));
        const auto* header = shown.kernels()->horizontalHeader();
        QCOMPARE(header->visualIndex(time), header->visualIndex(KernelTableModel::Mean) + 1);
        // They are joined again to what another window has.
        QVERIFY(shown.group("family", GroupBy::Family));
        QTRY_COMPARE(model->columnCount(), before + 2);
        QTRY_COMPARE(model->index(0, time).data().toString(), QStringLiteral("3.00"));
        QToolButton* close = nullptr;
        for (auto* button :
             shown.window.docks().panel(QStringLiteral("kernels"))->findChildren<QToolButton*>()) {
            close = button->text() == QLatin1String("ncu.csv") ? button : close;
        }
        QVERIFY(close != nullptr && close->isVisible());
        QVERIFY(close->toolTip().contains(QLatin1String("of another program")));
        QTest::mouseClick(close, Qt::LeftButton);
        QCOMPARE(model->columnCount(), before);
    }
};

QTEST_MAIN(KernelGroupsTest)
#include "KernelGroupsTest.moc"
