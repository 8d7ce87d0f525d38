// SPDX-License-Identifier: GPL-3.0-or-later
// What the operator bench of the window asks kscope for.
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include "tests/Patience.h"

#include "app/kinetoscope/MainWindow.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

constexpr const char* kWorker = KINETOSCOPE_SOURCE_DIR "/tests/widgets/fake_kscope.sh";

struct Shown {
    Settings settings{Settings::InMemory{}};
    MainWindow window{settings};

    Shown() {
        window.resize(1280, 800);
        window.show();
        window.docks().showPanel(QStringLiteral("operator-bench"));
    }
    template <class T>
    T* part(const char* name) {
        return window.docks().panel("operator-bench")->findChild<T*>(QString::fromLatin1(name));
    }
    void click(const char* button) { part<QPushButton>(button)->click(); }
};

// Every option of the operator bench to another than its usual value.
void change(Shown& shown) {
    shown.part<QComboBox>("suite")->setCurrentText("timm");
    shown.part<QComboBox>("op")->setEditText("aten.mm.default");
    shown.part<QComboBox>("dtype")->setCurrentText("bfloat16");
    shown.part<QComboBox>("device")->setCurrentText("cuda");
    shown.part<QSpinBox>("maxSamples")->setValue(4);
    shown.part<QCheckBox>("jit")->setChecked(false);
    shown.part<QCheckBox>("nvfuser")->setChecked(true);
    shown.part<QSpinBox>("repeats")->setValue(5);
    shown.part<QDoubleSpinBox>("time-limit")->setValue(0.25);
    shown.part<QSpinBox>("start-idx")->setValue(2);
    shown.part<QSpinBox>("seed")->setValue(7);
    for (const char* name : {"accuracy-checking", "channels-last", "shrink", "no-save", "resume"}) {
        shown.part<QCheckBox>(name)->setChecked(true);
    }
}

}  // namespace

class OperatorBenchOptionsTest final : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    // The words that the stand-in for kscope got.
    QString log() {
        QFile file(m_folder.filePath("log"));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).trimmed()
                                              : QString();
    }
    bool run(Shown& shown) {
        QFile::remove(m_folder.filePath("log"));
        shown.click("run");
        return waitFor(
            [&] { return !log().isEmpty() && shown.part<QPushButton>("run")->isVisible(); });
    }

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        QFile lines(m_folder.filePath("lines"));
        QVERIFY(lines.open(QIODevice::WriteOnly));
        qputenv("FAKE_LINES", lines.fileName().toUtf8());
        qputenv("FAKE_LOG", m_folder.filePath("log").toUtf8());
        qputenv("KINETOSCOPE_KSCOPE", kWorker);
        qputenv("KINETOSCOPE_RESULTS", m_folder.filePath("results").toUtf8());
    }
    void init() { failOnQtWarnings(); }

    void everyOptionGoesToTheWorker() {
        Shown shown;
        change(shown);
        auto* more = shown.part<QToolButton>("more");
        QCOMPARE(more->text(), QString("&More… (10)"));
        QVERIFY(more->toolTip().contains("Repeats"));
        QVERIFY(run(shown));
        QCOMPARE(log(), QString("bench operators --stream --suite timm --op aten.mm.default "
                                "--dtype bfloat16 --max-samples 4 --device cuda "
                                "--implementations inductor,nvfuser --repeats 5 --time-limit 0.25 "
                                "--start-idx 2 --seed 7 --accuracy-checking --channels-last "
                                "--shrink --no-save --resume"));
        QVERIFY2(!shown.part<QSpinBox>("repeats")->isEnabled(), "one where accuracy is checked");
        // Going on with a result was asked for once.
        QCOMPARE(more->text(), QString("&More… (9)"));
        shown.click("defaults");
        QCOMPARE(more->text(), QString("&More…"));
        QVERIFY(run(shown));
        QVERIFY(log().endsWith("--max-samples 4 --device cuda"));
        shown.part<QCheckBox>("jit")->setChecked(false);
        shown.part<QCheckBox>("inductor")->setChecked(false);
        QVERIFY(run(shown));
        QVERIFY(log().endsWith("--implementations eager"));
    }

    void noOptionOfTheTerminalIsForgotten() {
        QFile source(KINETOSCOPE_SOURCE_DIR "/app/kscope/bench/OperatorsCommand.cpp");
        QVERIFY(source.open(QIODevice::ReadOnly));
        static const QRegularExpression form(QStringLiteral("\"--([a-z-]+)"));
        QSet<QString> options;
        const QString text = QString::fromUtf8(source.readAll());
        for (auto it = form.globalMatch(text); it.hasNext();) {
            options += it.next().captured(1);
        }
        // How the result is written is the window's own, nvfuser is among the implementations, and
        // menus elsewhere choose an operator of a trace.
        for (const char* own : {"plan", "compat", "stream", "measure-nvfuser", "from", "event",
                                "top", "input-shapes"}) {
            QVERIFY2(options.remove(own), own);
        }
        Shown shown;
        change(shown);
        QVERIFY(run(shown));
        QSet<QString> requested{QStringLiteral("inp-file")};  // instead of the suite
        for (const QString& word : log().split(' ')) {
            if (word.startsWith(QLatin1String("--")) && word != QLatin1String("--stream")) {
                requested += word.mid(2);
            }
        }
        QCOMPARE(requested, options);
    }

    void moreIsReachedByKeys() {
        Shown shown;
        auto* more = shown.part<QToolButton>("more");
        auto* form = more->findChild<QFrame*>("moreForm");
        more->setFocus();
        QTest::keyClick(more, Qt::Key_Space);
        QVERIFY(form->isVisible());
        QTRY_VERIFY(form->isAncestorOf(QApplication::focusWidget()));
        QCOMPARE(QApplication::focusWidget()->objectName(), QString("jit"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(more->text(), QString("&More… (1)"));
        for (int i = 0; i < 3; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(QApplication::focusWidget()->objectName(), QString("repeats"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
        QCOMPARE(more->text(), QString("&More… (2)"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!form->isVisible());
    }

    void inputsOfOnesOwnComeFromAFile() {
        const QString path = m_folder.filePath("mine.txt");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("Operator: aten.sin.default\ncnt: 1, ((T([8], f32),), {})\n");
        file.close();
        Shown shown;
        auto* suite = shown.part<QComboBox>("suite");
        suite->setCurrentText("timm");
        emit suite->activated(suite->currentIndex());
        const auto choose = [&](const QString& name) {
            answerFileDialog(name);
            suite->setCurrentIndex(3);
            emit suite->activated(3);
        };
        choose({});
        QCOMPARE(suite->currentText(), QString("timm"));
        choose(path);
        QCOMPARE(suite->currentText(), QString("mine.txt"));
        auto* op = shown.part<QComboBox>("op");
        QCOMPARE(op->count(), 2);
        QCOMPARE(op->itemText(1), QString("aten.sin.default"));
        QVERIFY(run(shown));
        QVERIFY2(log().startsWith("bench operators --stream --inp-file " + path + " --op all"),
                 qPrintable(log()));
        suite->setCurrentText("timm");
        QVERIFY(op->findText("aten.hardswish_.default") > 0);
    }
};

QTEST_MAIN(OperatorBenchOptionsTest)
#include "OperatorBenchOptionsTest.moc"
