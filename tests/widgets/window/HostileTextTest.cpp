// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that a file says is taken for HTML or for a shortcut, wherever the window shows it.
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTextDocument>
#include <QToolTip>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "app/kinetoscope/PanelRegistry.h"
#include "app/kinetoscope/RecordDialog.h"
#include "core/bench/results/ResultStream.h"
#include "tests/support/SampleResults.h"
#include "tests/widgets/TimelineFixture.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/models/results/ResultTables.h"
#include "widgets/plots/BarPlot.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::bench::results;
using namespace kinetoscope::models;
using namespace kinetoscope::panels;
using namespace kinetoscope::plots;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;

namespace {

/// A name that is a picture in HTML, one that is an entity, one with shortcuts; all with places
/// that QString::arg() would fill. The first letters tell them apart.
const QStringList kHostile{QStringLiteral("<img src='no-such-file.png'>A&amp;B %1%2"),
                           QStringLiteral("entity &lt;b&gt; R&D %3"),
                           QStringLiteral("ampersand && x&y %1")};
const QStringList kMarks{QStringLiteral("no-such-file"), QStringLiteral("entity"),
                         QStringLiteral("ampersand")};

bool isHostile(const QString& text) {
    return std::any_of(kMarks.begin(), kMarks.end(),
                       [&](const QString& mark) { return text.contains(mark); });
}

/// Whether each hostile name in `shown` is there letter by letter, as far as it was not cut off.
bool isWhole(const QString& shown) {
    QString rest = shown;
    for (const QString& name : kHostile) {
        rest.remove(name);
    }
    return !isHostile(rest) || rest.contains(QChar(0x2026));
}

/// Why what a person sees of an automatically formatted text is not the text; empty: it is.
QString richFault(const QString& text) {
    if (!Qt::mightBeRichText(text)) {
        return isWhole(text) ? QString() : QStringLiteral("is not the name");
    }
    QTextDocument document;
    if (text.contains(QLatin1String("<img"))) {
        return QStringLiteral("loads a picture");
    }
    document.setHtml(text);
    const QString shown = document.toPlainText();
    return isWhole(shown) ? QString() : QStringLiteral("is shown as ") + shown;
}

QString mnemonicFault(const QString& text) {
    QString shown = text;
    shown.replace(QLatin1String("&&"), QString(QChar(1)));
    shown.remove(QLatin1Char('&'));
    shown.replace(QChar(1), QLatin1Char('&'));
    return isWhole(shown) ? QString() : QStringLiteral("is shown as ") + shown;
}

/// Looks at everything that can be seen below a widget, and hovers everywhere.
class Inspector {
public:
    void inspect(QWidget& root) {
        look(root);
        for (auto* widget : root.findChildren<QWidget*>()) {
            look(*widget);
        }
        for (const auto* action : root.findChildren<QAction*>()) {
            look(*action);
        }
        for (auto* widget : root.findChildren<QWidget*>()) {
            hover(*widget);
        }
    }

    void rich(const QString& where, const QString& text) { note(where, text, richFault(text)); }

    void look(const QAbstractItemModel& model, const QString& where) {
        for (int column = 0; column < model.columnCount(); ++column) {
            rich(where + " header",
                 model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString());
            rich(where + " header",
                 model.headerData(column, Qt::Horizontal, Qt::WhatsThisRole).toString());
            plain(where, model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
            for (int row = 0; row < model.rowCount(); ++row) {
                const QModelIndex index = model.index(row, column);
                plain(where, index.data().toString());
                for (const int role : {Qt::ToolTipRole, Qt::StatusTipRole, Qt::WhatsThisRole}) {
                    rich(where + " tip", index.data(role).toString());
                }
            }
        }
    }

    [[nodiscard]] const QStringList& faults() const { return m_faults; }
    [[nodiscard]] int met() const { return m_met; }

private:
    void note(const QString& where, const QString& text, const QString& fault) {
        m_met += isHostile(text) ? 1 : 0;
        if (!fault.isEmpty()) {
            m_faults << QStringLiteral("%1: \"%2\" %3").arg(where, text.left(300), fault);
        }
    }
    void plain(const QString& where, const QString& text) {
        note(where, text, isWhole(text) ? QString() : QStringLiteral("is not the name"));
    }
    void mnemonics(const QString& where, const QString& text) {
        note(where, text, mnemonicFault(text));
    }

    void look(const QAction& action) {
        const QString where = "action " + action.objectName();
        mnemonics(where, action.text());
        for (const QString& tip : {action.toolTip(), action.statusTip(), action.whatsThis()}) {
            rich(where + " tip", tip);
        }
    }

    void look(QWidget& widget) {
        const QString where = QStringLiteral("%1 %2").arg(
            QLatin1String(widget.metaObject()->className()), widget.objectName());
        for (const QString& tip : {widget.toolTip(), widget.statusTip(), widget.whatsThis()}) {
            rich(where + " tip", tip);
        }
        if (const auto* label = qobject_cast<QLabel*>(&widget)) {
            const QString text = label->text();
            const bool own = label->textFormat() == Qt::PlainText || !isHostile(text);
            note(where, text, own ? QString() : QStringLiteral("may be taken for HTML"));
            plain(where, label->textFormat() == Qt::PlainText ? text : QString());
        } else if (const auto* button = qobject_cast<QAbstractButton*>(&widget)) {
            mnemonics(where, button->text());
        } else if (const auto* tabs = qobject_cast<QTabBar*>(&widget)) {
            for (int tab = 0; tab < tabs->count(); ++tab) {
                mnemonics(where, tabs->tabText(tab));
                rich(where + " tip", tabs->tabToolTip(tab));
            }
        } else if (const auto* box = qobject_cast<QComboBox*>(&widget)) {
            look(*box->model(), where);
        } else if (const auto* view = qobject_cast<QAbstractItemView*>(&widget);
                   view != nullptr && view->model() != nullptr) {
            look(*view->model(), where);
        } else if (const auto* group = qobject_cast<QGroupBox*>(&widget)) {
            mnemonics(where, group->title());
        }
    }

    // What widgets say only when they are pointed at.
    void hover(QWidget& widget) {
        constexpr int kStep = 24;
        const QString where =
            QStringLiteral("pointing at %1 %2")
                .arg(QLatin1String(widget.metaObject()->className()), widget.objectName());
        for (int y = 4; y < std::min(widget.height(), 500) && widget.isVisible(); y += kStep) {
            for (int x = 4; x < widget.width(); x += kStep) {
                QHelpEvent help(QEvent::ToolTip, {x, y}, widget.mapToGlobal(QPoint(x, y)));
                QApplication::sendEvent(&widget, &help);
                rich(where, QToolTip::text());
                if (widget.hasMouseTracking()) {
                    movePointer(widget, {double(x), double(y)});
                    rich(where, QToolTip::text());
                }
            }
        }
        QToolTip::hideText();
    }

    QStringList m_faults;
    int m_met = 0;
};

#define VERIFY_SHOWN_AS_IT_IS(inspector, least)                                    \
    QVERIFY2((inspector).faults().isEmpty(),                                       \
             qPrintable((inspector).faults().mid(0, 12).join(QLatin1Char('\n')))); \
    QVERIFY2((inspector).met() >= (least), qPrintable(QString::number((inspector).met())))

QByteArray inJson(QString text) {
    return '"' + text.replace(QLatin1Char('"'), QLatin1String("\\\"")).toUtf8() + '"';
}

/// Hostile in every text that a trace can hold; kernels of the second are `slower` percent longer.
QByteArray hostileTrace(int slower) {
    QByteArrayList events;
    int id = 0;
    const QByteArray cpu = inJson(kHostile[0]);
    for (const char* what : {"process_name", "process_labels", "thread_name"}) {
        for (const int pid : {0, 1}) {
            const QByteArray key = qstrcmp(what, "process_labels") == 0 ? "labels" : "name";
            events << "{'ph':'M','name':'" + QByteArray(what) +
                          "','pid':" + QByteArray::number(pid) +
                          ",'tid':" + (pid == 0 ? "7" : "1") + ",'args':{'" + key +
                          "':" + inJson(kHostile[pid == 0 ? 1 : 2]) + "}}";
        }
    }
    for (int step = 0; step < 3; ++step) {
        const auto at = [step](int us) { return QByteArray::number(1000 + 100 * step + us); };
        events << "{'ph':'X','cat':'user_annotation','name':" +
                      inJson(kHostile[2] + '#' + QString::number(step)) +
                      ",'pid':1,'tid':1,'ts':" + at(0) + ",'dur':95}";
        for (int i = 0; i < 6; ++i) {
            const QByteArray name = inJson(kHostile[i % 3]);
            const QByteArray link = QByteArray::number(++id);
            events << "{'ph':'X','cat':'cpu_op','name':" + name +
                          ",'pid':1,'tid':1,'ts':" + at(14 * i + 1) +
                          ",'dur':8,'args':{'External id':" + link + "," + name + ":" + name + "}}";
            events << "{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':1,'tid':1,"
                      "'ts':" +
                          at(14 * i + 2) + ",'dur':1,'args':{'External id':" + link +
                          ",'correlation':" + link + "}}";
            events << "{'ph':'X','cat':'kernel','name':" + name +
                          ",'pid':0,'tid':7,'ts':" + at(14 * i + 4) +
                          ",'dur':" + QByteArray::number(6.0 + slower / 10.0) +
                          ",'args':{'External id':" + link + ",'correlation':" + link +
                          ",'device':0,'stream':7,'grid':[1,1,1],'block':[128,1,1]," + name + ":{" +
                          name + ":" + name + "}}}";
        }
        events << "{'ph':'i','cat':" + cpu + ",'name':" + cpu + ",'pid':1,'tid':1,'ts':" + at(50) +
                      ",'s':'t'}";
        events << "{'ph':'C','name':" + cpu + ",'pid':1,'ts':" + at(10) + ",'args':{" + cpu +
                      ":3}}";
        events << "{'ph':'X','cat':" + cpu + ",'name':'x','pid':" + cpu + ",'tid':" + cpu +
                      ",'ts':" + at(10) + ",'dur':-1}";
    }
    // Single quotes of the names stay, those of the keys become double ones.
    QByteArray text = "{'deviceProperties':[{'id':0,'name':" + cpu +
                      "}],'distributedInfo':"
                      "{'backend':" +
                      cpu + ",'rank':0,'world_size':2}," + cpu + ":" + cpu + ",'traceEvents':[\n" +
                      events.join(",\n") + "\n]}\n";
    text.replace("src='no-such-file.png'", "src=\x01no-such-file.png\x01");
    return text.replace('\'', '"').replace('\x01', '\'');
}

}  // namespace

class HostileTextTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Settings m_settings{Settings::InMemory{}};

    QString write(const QString& name, const QByteArray& text) {
        QDir().mkpath(QFileInfo(m_folder.filePath(name)).path());
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName()
                                                                                  : QString();
    }

    /// Two traces of one name in folders of hostile names.
    QStringList traces() {
        return {write("base/" + kHostile[0] + ".json", hostileTrace(0)),
                write("slower/" + kHostile[0] + ".json", hostileTrace(10)),
                write(kHostile[2] + ".json", hostileTrace(20))};
    }

    static void showEveryPanel(MainWindow& window, Inspector& inspector) {
        for (const PanelEntry& entry : panelTable()) {
            window.docks().showPanel(QString::fromLatin1(entry.id));
            QTest::qWait(30);
            inspector.inspect(*window.docks().panel(QString::fromLatin1(entry.id)));
        }
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        qputenv("KINETOSCOPE_RESULTS", m_folder.filePath("results").toUtf8());
        applyTheme(ThemeChoice::Light);
    }
    void init() { failOnQtWarnings(); }

    void namesOfATrace() {
        MainWindow window(m_settings);
        window.resize(1500, 1000);
        window.show();
        window.openFiles(traces());
        QVERIFY(waitFor([&] { return window.session().runs().size() == 3; }));
        window.session().setCurrent(0);
        QVERIFY(waitFor([&] {
            return window.session().reports().report() != nullptr &&
                   !window.session().reports().busy();
        }));
        QVERIFY(!window.session().reports().report()->steps.empty());
        Inspector inspector;
        inspector.inspect(window);
        for (SliceId slice = 0; slice < 6; ++slice) {
            window.view().select(slice);
            inspector.inspect(*window.docks().panel("details"));
        }
        for (const char* group : {"operator", "stream", "family"}) {
            auto* choice = window.docks().panel("kernels")->findChild<QComboBox*>("group");
            choice->setCurrentIndex(choice->findData(QLatin1String(group)));
            QVERIFY(waitFor([&] { return !window.session().reports().busy(); }));
            inspector.inspect(*window.docks().panel("kernels"));
        }
        auto* find = window.findChild<QLineEdit*>("findText");
        QTest::keyClicks(find, "/(" + kHostile[0] + "/");
        QTest::qWait(300);
        showEveryPanel(window, inspector);
        for (auto* menu : window.findChildren<QMenu*>()) {
            emit menu->aboutToShow();
        }
        inspector.inspect(window);
        VERIFY_SHOWN_AS_IT_IS(inspector, 300);
    }

    void namesOnTheFirstPageAndInMessages() {
        MainWindow window(m_settings);
        window.resize(1500, 1000);
        window.show();
        addRecentFile(m_settings, "/x/" + kHostile[0]);
        addRecentFile(m_settings, "/x/" + kHostile[2]);
        window.openFiles({m_folder.filePath(kHostile[1]), m_folder.filePath(kHostile[0])});
        Inspector inspector;
        inspector.inspect(window);  // reading it
        QVERIFY(waitFor([&] { return !window.loader().isLoading(); }));
        QVERIFY(window.errorBar().text().contains("no-such-file"));
        for (auto* menu : window.findChildren<QMenu*>()) {
            emit menu->aboutToShow();
        }
        inspector.inspect(window);
        VERIFY_SHOWN_AS_IT_IS(inspector, 8);
    }

    void namesInAComparison() {
        MainWindow window(m_settings);
        window.resize(1500, 1000);
        window.show();
        const QStringList paths = traces().mid(0, 2);
        window.openFiles(paths);
        QVERIFY(waitFor([&] { return window.session().runs().size() == 2; }));
        window.compareFiles(paths);
        QVERIFY(waitFor([&] { return !window.session().compare().busy(); }));
        QVERIFY2(window.session().compare().shown() != nullptr,
                 qPrintable(window.session().compare().error()));
        window.session().compare().selectKernel(0);
        window.session().compare().goToKernel(0);
        Inspector inspector;
        inspector.inspect(window.compared());
        auto* charts = window.docks().panel("compare")->findChild<QTabWidget*>("compareCharts");
        for (int chart = 0; chart < charts->count(); ++chart) {
            charts->setCurrentIndex(chart);
            QTest::qWait(30);
            inspector.inspect(*window.docks().panel("compare"));
        }
        showEveryPanel(window, inspector);
        inspector.inspect(window);
        VERIFY_SHOWN_AS_IT_IS(inspector, 100);
    }

    void namesOfBenchmarks() {
        ResultDocument operators(ResultKind::Operators);
        operators.created = "2026-01-02T03:04:05Z";
        operators.options.suite = kHostile[0].toStdString();
        operators.options.dtype = "float32";
        operators.device = kHostile[1].toStdString();
        operators.torchVersion = kHostile[2].toStdString();
        operators.options.implementations = {"eager", kHostile[0].toStdString()};
        operators.unavailable = {{kHostile[1].toStdString(), kHostile[0].toStdString()}};
        for (const QString& name : kHostile) {
            BenchItem result;
            result.name = name.toStdString();
            BenchItem sample;
            sample.name = name.toStdString();
            for (const auto& implementation : operators.options.implementations) {
                BenchSeries one;
                one.name = implementation;
                one.repeatsNs = {1000.0};
                sample.series.push_back(one);
            }
            result.parts = {sample, sample};
            result.parts[1].reason = name.toStdString();
            operators.items.push_back(result);
        }
        ResultDocument modules(ResultKind::Modules);
        modules.created = "2026-01-02T03:04:05Z";
        modules.device = kHostile[0].toStdString();
        modules.torchVersion = kHostile[1].toStdString();
        BenchItem group = test::groupOf(kHostile[0].toStdString(), kHostile[1].toStdString(), {});
        for (const QString& name : kHostile) {
            BenchItem runner;
            runner.name = name.toStdString();
            for (const char* direction : kDirections) {
                runner.series.push_back(
                    test::directionOf(direction, {1.0, 1.1, 1.2, 1.0, 1.1, 1.2}));
            }
            runner.note = name.toStdString();
            group.parts.push_back(runner);
            runner.name += "2";
            runner.series.clear();
            runner.reason = name.toStdString();
            group.parts.push_back(runner);
        }
        modules.items = {group};
        MainWindow window(m_settings);
        window.resize(1500, 1000);
        window.show();
        const QString table = kHostile[0] + ",x\n" + kHostile[1] + ",1\n" + kHostile[2] + ",2\n";
        window.openFiles({write("operators.json", QByteArray::fromStdString(resultJson(operators))),
                          write("modules.json", QByteArray::fromStdString(resultJson(modules))),
                          write(kHostile[0] + ".csv", table.toUtf8())});
        Inspector inspector;
        showEveryPanel(window, inspector);
        VERIFY_SHOWN_AS_IT_IS(inspector, 60);
    }

    void namesOfCompiledKernels() {
        bench::results::ResultDocument kernels;
        BarPlot plot(BarPlot::Form::Lying);
        std::vector<Bar> bars;
        for (const QString& name : kHostile) {
            bench::results::BenchItem kernel;
            kernel.name = name.toStdString();
            kernel.category = name.toStdString();
            kernel.reason = name.toStdString();
            kernels.items.push_back(kernel);
            bars.push_back({name, name, 1.0});
        }
        const ResultModel model(kernelTable(kernels));
        Inspector inspector;
        inspector.look(model, "bench");
        plot.setBars(bars, kHostile[0]);
        plot.resize(600, 300);
        plot.show();
        inspector.inspect(plot);
        VERIFY_SHOWN_AS_IT_IS(inspector, 12);
    }

    void namesOfPrograms() {
        const QString kscope = write("kscope.sh", "#!/bin/sh\nexec sleep 30\n");
        QFile::setPermissions(kscope, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("KINETOSCOPE_KSCOPE", kscope.toUtf8());
        MainWindow window(m_settings);
        window.resize(1500, 1000);
        window.show();
        Inspector inspector;
        window.action(ActionId::Record)->trigger();
        auto* dialog = window.findChild<RecordDialog*>();
        dialog->findChild<QLineEdit*>("program")->setText(kHostile[0]);
        inspector.inspect(*dialog);
        dialog->findChild<QLineEdit*>("folder")->setText("/" + kHostile[1]);
        inspector.inspect(*dialog);
        dialog->reject();
        window.record({"/x/" + kHostile[0], {}, {}, {}, 3});
        QVERIFY(!window.recorder().isRunning());
        inspector.inspect(window);
        const QString program = write("bin/" + kHostile[0], "#!/bin/sh\n");
        QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        window.record({program, {}, {}, {}, 3});
        QVERIFY(window.recorder().isRunning());
        inspector.inspect(window);
        QTimer::singleShot(100, &window, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            inspector.inspect(*box);
            inspector.rich("informative text", box->informativeText());
            QTest::mouseClick(box->findChild<QPushButton*>("discard"), Qt::LeftButton);
        });
        window.close();
        VERIFY_SHOWN_AS_IT_IS(inspector, 4);
        qunsetenv("KINETOSCOPE_KSCOPE");
    }
};

QTEST_MAIN(HostileTextTest)
#include "HostileTextTest.moc"
