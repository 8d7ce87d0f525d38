// SPDX-License-Identifier: GPL-3.0-or-later
// PyTorch's own figures in the Summary: entered, kept beside the trace, drawn and copied.
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QToolButton>
#include <algorithm>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "core/report/ReportText.h"
#include "core/sidecar/Sidecar.h"
#include "core/text/Printable.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/style/ElidedLabel.h"
#include "widgets/style/MessageBar.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::analysis;
using namespace kinetoscope::app;
using namespace kinetoscope::session;
using namespace kinetoscope::style;
using namespace kinetoscope::trace;

namespace {

/// A window that shows the Summary of a trace.
struct Shown {
    explicit Shown(const QString& path) {
        window.resize(1280, 800);
        window.show();
        window.docks().showPanel("summary");
        open(path);
    }

    bool open(const QString& path) {
        window.openFiles({path});
        return waitFor([&] {
            const Run* run = window.session().current();
            return run && run->path == path && window.session().reports().report() != nullptr;
        });
    }
    template <class T>
    T* part(const char* name) {
        return window.docks().panel("summary")->findChild<T*>(QString::fromLatin1(name));
    }
    QLineEdit* field(const char* name) { return part<QLineEdit>(name); }
    void click(QWidget* widget) {
        QCoreApplication::processEvents();
        window.docks().panel("summary")->findChild<QScrollArea*>()->ensureWidgetVisible(widget);
        QCoreApplication::processEvents();
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    /// With its figures there.
    bool unfold() {
        click(part<QToolButton>("compatTitle"));
        return waitFor([&] { return part<QPushButton>("compatCopy")->isEnabled(); });
    }
    void type(const char* name, const char* text) {
        field(name)->selectAll();
        QTest::keyClicks(field(name), QString::fromLatin1(text));
        QTest::keyClick(field(name), Qt::Key_Return);
    }
    /// What labels of the Summary show.
    QStringList texts() {
        QCoreApplication::processEvents();  // new labels wait for their layout
        QStringList all;
        for (const ElidedLabel* label :
             window.docks().panel("summary")->findChildren<ElidedLabel*>()) {
            if (label->isVisible()) {
                all.append(label->text());
            }
        }
        return all;
    }
    /// What is copied once the figures have come.
    QString copied(const char* button) {
        if (!waitFor([&] { return !window.session().compat().busy(); })) {
            return {};
        }
        click(part<QPushButton>(button));
        return QApplication::clipboard()->text();
    }
    MessageBar* bar() {
        QWidget* section = part<QToolButton>("compatTitle")->parentWidget()->parentWidget();
        return section->findChild<MessageBar*>();
    }
    QString problem() { return bar()->isVisible() ? bar()->text() : QString(); }
    const Trace& trace() { return *window.view().trace(); }

    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};
};

QString printed(const Trace& trace, const CompatOptions& options) {
    return QString::fromStdString(
        text::printableLines(report::compatText(makeCompatReport(trace, options))));
}

}  // namespace

class CompatWindowTest final : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(ThemeChoice::Light); }
    void init() {
        failOnQtWarnings();
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QFile::copy(samplePath(), path()));
        QApplication::clipboard()->clear();
    }

    void nothingIsReadOrComputedBeforeItIsUnfolded() {
        keep("{");
        Shown shown(path());
        QTest::qWait(50);
        QVERIFY(!shown.field("compatWall")->isVisible());
        QVERIFY(!shown.window.session().compat().busy());
        QVERIFY(!shown.window.session().compat().figures());
        QVERIFY(shown.window.session().compat().problem().isEmpty());
    }

    void withoutAWallTimeNothingIsMeasured() {
        Shown shown(path());
        QVERIFY(shown.unfold());
        QVERIFY(shown.field("compatWall")->text().isEmpty());
        const QStringList texts = shown.texts();
        QVERIFY2(!texts.filter(", not measured").isEmpty(), qPrintable(texts.join('\n')));
        QCOMPARE(shown.copied("compatCopy"), printed(shown.trace(), {}));
        QVERIFY(!QFile::exists(sidecar()));
    }

    void whatIsTypedIsDrawnCopiedAndKept() {
        {
            Shown shown(path());
            QVERIFY(shown.unfold());
            shown.type("compatWall", "2.5");
            shown.type("compatRuns", "4");
            shown.type("compatName", "my bench");
            const CompatOptions options{2.5, 4, "my bench"};
            QCOMPARE(shown.copied("compatCopy"), printed(shown.trace(), options));
            const CompatReport report = makeCompatReport(shown.trace(), options);
            QCOMPARE(shown.copied("compatCopyLine"), QString::fromStdString(report.tabulateLine));
            QCOMPARE(shown.field("compatLine")->text(), shown.copied("compatCopyLine"));
            const QStringList texts = shown.texts();
            const auto percent = [](double part) {
                return QString::number(100.0 * part, 'f', 2) + " %";
            };
            for (const QString& text :
                 {QStringLiteral("2.5 ms"), percent(report.gpuBusy), percent(*report.utilization),
                  percent(*report.mmConvUtilization), percent(report.categories[0].totalMs / 2.5),
                  QString::fromStdString(report.categories[0].name),
                  QString::fromStdString(report.categories[0].kernels[0].key),
                  percent(report.categories[0].kernels[0].ms / 2.5)}) {
                QVERIFY2(texts.contains(text), qPrintable(text + " in " + texts.join('\n')));
            }
            QVERIFY(texts.filter("not measured").isEmpty());
            QVERIFY(shown.problem().isEmpty());
        }
        QVERIFY(QFile::exists(sidecar()));
        Shown again(path());
        QVERIFY(again.unfold());
        QCOMPARE(again.field("compatWall")->text(), QString("2.5"));
        QCOMPARE(again.field("compatRuns")->text(), QString("4"));
        QCOMPARE(again.field("compatName")->text(), QString("my bench"));
        QCOMPARE(again.copied("compatCopy"), printed(again.trace(), {2.5, 4, "my bench"}));
        for (const char* name : {"compatWall", "compatRuns", "compatName"}) {
            again.type(name, "\b");
        }
        QCOMPARE(again.copied("compatCopy"), printed(again.trace(), {}));
        QVERIFY(!QFile::exists(sidecar()));
    }

    void whatIsNoNumberIsSaid() {
        Shown shown(path());
        QVERIFY(shown.unfold());
        shown.type("compatWall", "0,3");
        QVERIFY2(shown.problem().contains("'0,3' is not a number"), qPrintable(shown.problem()));
        QCOMPARE(shown.field("compatWall")->text(), QString("0,3"));
        shown.type("compatWall", "0.3");
        shown.type("compatRuns", "-1");
        QVERIFY2(shown.problem().contains("'-1' is not a number"), qPrintable(shown.problem()));
        shown.type("compatRuns", "1");
        QVERIFY(shown.problem().isEmpty());
        QCOMPARE(shown.copied("compatCopy"), printed(shown.trace(), {0.3, 1, "None"}));
    }

    void aFileThatCannotBeUnderstoodIsSaidAndLeftAlone() {
        keep("{\"schema\":<b>");
        Shown shown(path());
        QVERIFY(shown.unfold());
        QVERIFY2(shown.problem().contains("is not a valid JSON object"),
                 qPrintable(shown.problem()));
        shown.type("compatWall", "2.5");
        QCOMPARE(shown.copied("compatCopy"), printed(shown.trace(), {2.5, 1, "None"}));
        QVERIFY2(shown.problem().contains("until the window is closed"),
                 qPrintable(shown.problem()));
        QFile file(sidecar());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{\"schema\":<b>"));
        // They hold as long as the window, also where the trace is opened again.
        shown.window.session().close(0);
        QVERIFY(!shown.part<QToolButton>("compatTitle")->isVisible());
        QVERIFY(shown.open(path()));
        QTRY_COMPARE(shown.field("compatWall")->text(), QString("2.5"));
    }

    void whatIsTypedBelongsToItsTrace() {
        const QString other = m_folder->filePath("other.json.gz");
        QVERIFY(QFile::copy(samplePath(), other));
        Shown shown(path());
        QVERIFY(shown.unfold());
        shown.type("compatWall", "2.5");
        shown.field("compatRuns")->setFocus();
        QTest::keyClicks(shown.field("compatRuns"), "77");  // and no Return
        QVERIFY(shown.open(other));
        QTRY_VERIFY(shown.part<QPushButton>("compatCopy")->isEnabled());
        QVERIFY(shown.field("compatWall")->text().isEmpty());
        QVERIFY(shown.field("compatRuns")->text().isEmpty());
        QCOMPARE(shown.copied("compatCopy"), printed(shown.trace(), {}));
        QVERIFY(!QFile::exists(other + ".kinetoscope"));
        shown.window.session().setCurrent(0);
        QTRY_COMPARE(shown.field("compatWall")->text(), QString("2.5"));
    }

    void nothingIsCutInANarrowDock() {
        const QString longest = m_folder->filePath(QString(120, 'x') + ".json.gz");
        QVERIFY(QFile::copy(samplePath(), longest));
        QVERIFY(QDir().mkdir(longest + ".kinetoscope"));
        Shown shown(longest);
        QVERIFY(shown.unfold());
        QVERIFY2(shown.problem().contains("not a regular file"), qPrintable(shown.problem()));
        auto* dock = shown.window.findChild<QDockWidget*>(QStringLiteral("summary"));
        shown.window.resizeDocks({dock}, {100}, Qt::Horizontal);
        const auto* scroll = shown.window.docks().panel("summary")->findChild<QScrollArea*>();
        QTRY_VERIFY(scroll->widget()->width() <= scroll->viewport()->width());
        QVERIFY2(dock->width() < 640, qPrintable(QString::number(dock->width())));
        const auto* bar = shown.bar();
        QVERIFY(bar->minimumSizeHint().width() <= bar->width());
        QTRY_VERIFY(bar->height() >= bar->heightForWidth(bar->width()));
        const auto labels = dock->findChildren<ElidedLabel*>();
        QTRY_VERIFY(std::all_of(labels.begin(), labels.end(), [](const ElidedLabel* label) {
            return label->height() >= label->sizeHint().height();
        }));
    }

    void aNameIsPlainText() {
        keep(R"({"schema":"kinetoscope.sidecar/1","run":{"name":"<b>&amp;\n%1"}})");
        Shown shown(path());
        QVERIFY(shown.unfold());
        QCOMPARE(shown.field("compatName")->text(), QString("<b>&amp;\\n%1"));
        QVERIFY(shown.field("compatLine")->text().contains("<b>&amp;\\n%1"));
        QCOMPARE(shown.copied("compatCopy"), printed(shown.trace(), {{}, 1, "<b>&amp;\\n%1"}));
    }

private:
    [[nodiscard]] QString path() const { return m_folder->filePath("train.json.gz"); }
    [[nodiscard]] QString sidecar() const { return path() + ".kinetoscope"; }
    void keep(const QByteArray& text) const {
        QFile file(sidecar());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_MAIN(CompatWindowTest)
#include "CompatWindowTest.moc"
