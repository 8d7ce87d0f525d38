// SPDX-License-Identifier: Apache-2.0
// Qt switches the window to the user's locale; files mean the same in all of them.
#include <QtTest>

#include "core/base/Ascii.h"
#include "core/base/WholeNumber.h"
#include "core/import/event/HistoricalSpellings.h"
#include "core/import/event/TolerantReader.h"
#include "core/import/source/Expansion.h"
#include "core/metrics/KernelSource.h"
#include "core/metrics/TableText.h"
#include "tests/support/MadeLocale.h"

using namespace kinetoscope;
using kinetoscope::tests::MadeLocale;

class LocaleTest final : public QObject {
    Q_OBJECT

private slots:
    void numbersAreWhole_data();
    void numbersAreWhole();
    void decimalCommasLeaveNumbersAlone();
    void turkishLeavesLettersAlone();
};

void LocaleTest::numbersAreWhole_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("number");
    QTest::newRow("fraction") << "0.0335" << 0.0335;
    QTest::newRow("exponent") << "-1.5e-05" << -1.5e-05;
    QTest::newRow("too small") << "1e-400" << 0.0;
    QTest::newRow("far too small") << "1e-40000" << 0.0;
    QTest::newRow("too large") << "-1e400" << -HUGE_VAL;
    QTest::newRow("far too large") << "1e40000" << HUGE_VAL;
    for (const char* bad : {"", "1,5", "1.5x", "x", " 1"}) {
        QTest::newRow(bad) << bad << qQNaN();
    }
}

void LocaleTest::numbersAreWhole() {
    QFETCH(QString, text);
    QFETCH(double, number);
    const auto found = wholeNumber(text.toStdString());
    QCOMPARE(found.has_value(), !qIsNaN(number));
    QCOMPARE(found.value_or(0.0), qIsNaN(number) ? 0.0 : number);
}

void LocaleTest::decimalCommasLeaveNumbersAlone() {
    const MadeLocale german("de_DE");
    if (!german.isSet()) {
        QSKIP("there is no localedef");
    }
    const auto source = metrics::parseKernelSource(
        "\n@triton_heuristics.pointwise(inductor_meta={'kernel_num_gb': 0.0335})\n"
        "def triton_(a):\n    pass\n",
        "k.py");
    QVERIFY2(source, source ? "" : source.error().message.c_str());
    QCOMPARE(source->inductorMeta("kernel_num_gb")->number, 0.0335);
    const auto left = metrics::metricTableText("name,ratio\na,0.5\nbb,10.25\n", {});
    QVERIFY(left);
    QVERIFY2(left->text.find("   0.5") != std::string::npos, left->text.c_str());
    qputenv("KINETOSCOPE_MAX_EXPANSION", "1.5");
    QCOMPARE(import::source::ignoredExpansion(), std::string());
    qunsetenv("KINETOSCOPE_MAX_EXPANSION");
}

void LocaleTest::turkishLeavesLettersAlone() {
    const MadeLocale turkish("tr_TR");
    if (!turkish.isSet()) {
        QSKIP("there is no localedef");
    }
    using import::event::categoryOfSpelling;
    QCOMPARE(categoryOfSpelling("GPU_User_Annotation", ""), trace::Category::GpuUserAnnotation);
    QCOMPARE(categoryOfSpelling("CUDA_RUNTIME", ""), trace::Category::Runtime);
    QCOMPARE(categoryOfSpelling("RUNTIME", ""), trace::Category::Runtime);
    QVERIFY(equalIgnoringCase("id", "ID"));
    import::event::SyntaxIssues issues;
    import::scan::JsonText value;
    const std::string word = "INF ";
    QVERIFY(
        import::event::readValueTolerantly(word.data(), word.data() + word.size(), value, issues)
            .complete);
    QVERIFY(issues.bareWord);
}

QTEST_APPLESS_MAIN(LocaleTest)
#include "LocaleTest.moc"
