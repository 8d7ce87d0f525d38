// SPDX-License-Identifier: GPL-3.0-or-later
// Panels whose figures follow a selected time say that they are at work where that takes long, and
// only there.
#include <QElapsedTimer>
#include "tests/Patience.h"

#include "tests/bench/LargeTrace.h"
#include "tests/widgets/ShownPanel.h"
#include "tests/widgets/WindowTestSupport.h"
#include "widgets/panels/find/FigureLine.h"
#include "widgets/style/WindowStyle.h"

using namespace kinetoscope;
using namespace kinetoscope::app;
using namespace kinetoscope::panels;
using namespace kinetoscope::session;
using namespace kinetoscope::style;

namespace {

constexpr std::size_t kMany = 3'000'000;
constexpr std::size_t kFew = 2'000;
constexpr qint64 kQuickMs = 60;
constexpr qint64 kLongMs = 150;

/// All slices are found, at the selected time only.
struct Shown : ShownPanel {
    Shown(const char* id, std::shared_ptr<const trace::Trace> trace)
        : ShownPanel(id), panel(*window.docks().panel(QLatin1String(id))) {
        window.docks().showPanel(QLatin1String(id));
        window.session().add(QStringLiteral("made"), std::move(trace));
        window.session().find().setText(QStringLiteral("kernel"));
        window.session().find().setFilter({.time = FindTime::Window});
        isReady = waitFor([&] { return !works() && !text().isEmpty(); });
    }
    [[nodiscard]] bool works() {
        return window.session().find().busy() || window.session().durations().busy() ||
               window.docks().busy();
    }
    QString text() {
        return part<FigureLine>("figures")->text().replace(QChar(0x00a0), QLatin1Char(' '));
    }
    [[nodiscard]] bool saysSo() { return text().endsWith(QChar(0x2026)); }
    void select(int percent) {
        const TimeSpan all = window.view().fitSpan();
        window.view().selectRange(TimeSpan{all.start, all.start + all.duration() / 100 * percent});
    }
    Panel& panel;
    bool isReady = false;
};

}  // namespace

class LongWorkTest final : public QObject {
    Q_OBJECT

    std::shared_ptr<const trace::Trace> m_many;

    static void addPanels() {
        QTest::addColumn<QByteArray>("id");
        QTest::newRow("find") << QByteArray("find");
        QTest::newRow("durations") << QByteArray("durations");
    }

private slots:
    void initTestCase() {
        applyTheme(ThemeChoice::Light);
        m_many = LargeTrace(kMany).make();
    }
    void init() { failOnQtWarnings(); }

    void longWorkIsSaid_data() { addPanels(); }
    void longWorkIsSaid() {
        QFETCH(const QByteArray, id);
        Shown shown(id.constData(), m_many);
        QVERIFY(shown.isReady);
        const QString before = shown.text();
        QVERIFY2(!shown.saysSo(), qPrintable(before));
        QElapsedTimer timer;
        timer.start();
        shown.select(90);
        qint64 worked = 0;
        qint64 said = -1;
        while (shown.works() && timer.elapsed() < kPatienceMs) {
            QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
            worked = shown.panel.busy() ? timer.elapsed() : worked;
            said = said < 0 && shown.saysSo() ? timer.elapsed() : said;
        }
        QVERIFY2(worked > kLongMs, qPrintable(QString::number(worked)));
        QVERIFY(said >= 0);
        QVERIFY2(said > kQuickMs && said < worked, qPrintable(QString::number(said)));
        QVERIFY2(!shown.saysSo() && shown.text() != before, qPrintable(shown.text()));
    }

    void quickWorkChangesOnlyFigures_data() { addPanels(); }
    void quickWorkChangesOnlyFigures() {
        QFETCH(const QByteArray, id);
        Shown shown(id.constData(), LargeTrace(kFew).make());
        QVERIFY(shown.isReady);
        for (const int percent : {90, 70, 50, 30}) {
            const QString before = shown.text();
            QElapsedTimer timer;
            timer.start();
            shown.select(percent);
            QVERIFY(shown.works());
            QCOMPARE(shown.text(), before);
            bool said = false;
            while (shown.works() && timer.elapsed() < kPatienceMs) {
                QCoreApplication::processEvents();
                said = said || shown.saysSo();
            }
            QVERIFY(!said || timer.elapsed() > kQuickMs);
            QVERIFY2(!shown.saysSo() && shown.text() != before, qPrintable(shown.text()));
        }
    }
};

QTEST_MAIN(LongWorkTest)
#include "LongWorkTest.moc"
