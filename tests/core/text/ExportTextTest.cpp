// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <limits>
#include <string>
#include <vector>

#include "core/report/TabulateText.h"
#include "core/text/Csv.h"
#include "core/text/KernelLabel.h"
#include "core/text/Markdown.h"
#include "core/text/Printable.h"
#include "core/text/TextTable.h"
#include "core/text/Units.h"

using namespace kinetoscope;
using namespace kinetoscope::report;
using namespace kinetoscope::text;

class ExportTextTest final : public QObject {
    Q_OBJECT

private slots:
    void controlCharactersBecomeVisible_data();
    void controlCharactersBecomeVisible();
    void lineBreaksOfSeveralLinesStay();
    void widthCountsColumnsNotBytes();
    void longTextLosesItsMiddle();
    void wideCharactersAreNeverCutInTwo();
    void tableAlignsByColumnsOnScreen();
    void tooWideTableDropsTheLeastColumnFirst();
    void tooWideTableShortensTheNameBeforeItDropsAll();
    void overflowingColumnIsNeverShortened();
    void colourOnlyWhenAskedFor();
    void unitFollowsTheLargestTime();
    void timesHaveThreeDecimalsAndSeparators();
    void datesAreUtcToTheNanosecond();
    void barsAreClippedToTheirCells();
    void ambiguousKernelsKeepTheirTemplateArguments_data();
    void ambiguousKernelsKeepTheirTemplateArguments();
    void shortenedLabelsKeepTheBeginningOfTheirArguments();
    void labelledItemsGoOnBelowTheFirst();
    void momentsBeyondTheRangeAreItsEnds();
    void csvQuotesWhatNeedsIt_data();
    void csvQuotesWhatNeedsIt();
    void markdownKeepsMarkupOutOfNames();
    void tabulateLineIsReadFromTheRight_data();
    void tabulateLineIsReadFromTheRight();
    void whatIsNoTabulateLineGivesNothing_data();
    void whatIsNoTabulateLineGivesNothing();
    void tabulateRowsKeepTheOrderOfTheLine();
};

namespace {

std::string repeated(const std::string& piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += piece;
    }
    return text;
}

TextTable kernelTable(std::size_t shrinkTo, bool overflows = false) {
    TextTable table(
        {{.title = "total"},
         {.title = "mean", .droppable = 1},
         {.title = "shapes", .droppable = 2},
         {.title = "kernel", .rightAligned = false, .shrinkTo = shrinkTo, .overflows = overflows}});
    table.addRow({"12.000", "4.000", "3", "abcdefghijklmnopqrstuvwxyz"});
    return table;
}

TextStyle width(std::size_t columns) {
    return {.width = columns};
}

}  // namespace

void ExportTextTest::controlCharactersBecomeVisible_data() {
    QTest::addColumn<std::string>("raw");
    QTest::addColumn<std::string>("shown");
    QTest::newRow("line break") << std::string("a\nb") << std::string("a\\nb");
    QTest::newRow("carriage return") << std::string("a\rb") << std::string("a\\rb");
    QTest::newRow("tab") << std::string("a\tb") << std::string("a\\tb");
    QTest::newRow("escape sequence") << std::string("\x1b[31mred") << std::string("\\x1b[31mred");
    QTest::newRow("delete") << std::string("\x7f") << std::string("\\x7f");
    QTest::newRow("zero") << std::string(1, '\0') << std::string("\\x00");
    QTest::newRow("C1 control") << std::string("\xc2\x9b") << std::string("\\u009b");
    QTest::newRow("line separator") << std::string("\xe2\x80\xa8") << std::string("\\u2028");
    QTest::newRow("direction mark") << std::string("\xe2\x80\xae") << std::string("\\u202e");
    QTest::newRow("no UTF-8") << std::string("a\xff") << std::string("a\\xff");
    QTest::newRow("overlong") << std::string("\xc0\xaf") << std::string("\\xc0\\xaf");
    QTest::newRow("surrogate") << std::string("\xed\xa0\x80") << std::string("\\xed\\xa0\\x80");
    QTest::newRow("cut") << std::string("\xe2\x82") << std::string("\\xe2\\x82");
    QTest::newRow("plain") << std::string("µs 漢 😀 \\n") << std::string("µs 漢 😀 \\n");
}

void ExportTextTest::controlCharactersBecomeVisible() {
    QFETCH(std::string, raw);
    QFETCH(std::string, shown);
    QCOMPARE(printable(raw), shown);
}

void ExportTextTest::lineBreaksOfSeveralLinesStay() {
    QCOMPARE(printableLines("a\x1b\n\nb\t"), std::string("a\\x1b\n\nb\\t"));
    QCOMPARE(printableLines("a\n"), std::string("a\n"));
}

void ExportTextTest::widthCountsColumnsNotBytes() {
    QCOMPARE(displayWidth("kernel"), std::size_t{6});
    QCOMPARE(displayWidth("µs"), std::size_t{2});
    QCOMPARE(displayWidth("漢字"), std::size_t{4});
    QCOMPARE(displayWidth("e\xcc\x81"), std::size_t{1});
    QCOMPARE(padLeft("µs", 4), std::string("  µs"));
    QCOMPARE(padRight("漢", 4), std::string("漢  "));
}

void ExportTextTest::longTextLosesItsMiddle() {
    QCOMPARE(fitWidth("abcdefghij", 10), std::string("abcdefghij"));
    QCOMPARE(fitWidth("abcdefghij", 7), std::string("abc…hij"));
    QCOMPARE(fitWidth("abcdefghij", 6), std::string("abc…ij"));
    QCOMPARE(fitWidth("abcdefghij", 1), std::string("…"));
    QCOMPARE(fitWidth("abcdefghij", 0), std::string());
}

void ExportTextTest::wideCharactersAreNeverCutInTwo() {
    for (std::size_t columns = 1; columns < 12; ++columns) {
        const std::string fitted = fitWidth(repeated("漢", 8), columns);
        QVERIFY2(displayWidth(fitted) <= columns, fitted.c_str());
        QCOMPARE(printable(fitted), fitted);
    }
}

void ExportTextTest::tableAlignsByColumnsOnScreen() {
    TextTable table({{.title = "name", .rightAligned = false}, {.title = "µs"}});
    table.addRow({"漢字", "1.5"});
    table.addRow({"a", "12.25"});
    QCOMPARE(table.text(width(80)), std::string("  name     µs\n"
                                                "  ────  ─────\n"
                                                "  漢字    1.5\n"
                                                "  a     12.25\n"));
}

void ExportTextTest::tooWideTableDropsTheLeastColumnFirst() {
    const TextTable table = kernelTable(10);
    QVERIFY(table.text(width(80)).find("shapes") != std::string::npos);
    // 2 + 6 + 2 + 5 + 2 + 10 columns are left without "shapes", 2 + 6 + 2 + 10 without "mean".
    const std::string narrow = table.text(width(27));
    QVERIFY(narrow.find("shapes") == std::string::npos);
    QVERIFY(narrow.find("mean") != std::string::npos);
    const std::string narrowest = table.text(width(26));
    QVERIFY(narrowest.find("mean") == std::string::npos);
    QVERIFY(narrowest.find("total") != std::string::npos);
}

void ExportTextTest::tooWideTableShortensTheNameBeforeItDropsAll() {
    QCOMPARE(kernelTable(10).text(width(40)),
             std::string("   total   mean  shapes  kernel\n"
                         "  ──────  ─────  ──────  ───────────────\n"
                         "  12.000  4.000       3  abcdefg…tuvwxyz\n"));
}

void ExportTextTest::overflowingColumnIsNeverShortened() {
    const std::string text = kernelTable(10, true).text(width(30));
    QVERIFY(text.find("abcdefghijklmnopqrstuvwxyz\n") != std::string::npos);
}

void ExportTextTest::colourOnlyWhenAskedFor() {
    const TextTable table = kernelTable(10);
    QVERIFY(table.text({.width = 80}).find('\x1b') == std::string::npos);
    QVERIFY(table.text({.width = 80, .colour = true}).find("\x1b[1m") != std::string::npos);
}

void ExportTextTest::unitFollowsTheLargestTime() {
    QCOMPARE(unitFor(999'999).name, "µs");
    QCOMPARE(unitFor(1'000'000).name, "ms");
    QCOMPARE(unitFor(99'999'999'999).name, "ms");
    QCOMPARE(unitFor(100'000'000'000).name, "s");
}

void ExportTextTest::timesHaveThreeDecimalsAndSeparators() {
    QCOMPARE(inUnit(TimeNs{1}, kMicroseconds), std::string("0.001"));
    QCOMPARE(inUnit(TimeNs{1'234'567'890}, kMicroseconds), std::string("1,234,567.890"));
    QCOMPARE(inUnit(TimeNs{-1'234'567}, kMicroseconds), std::string("-1,234.567"));
    QCOMPARE(inUnit(TimeNs{-123'456}, kMicroseconds), std::string("-123.456"));
}

void ExportTextTest::datesAreUtcToTheNanosecond() {
    // date -u -d @1790857026
    QCOMPARE(formatUtc(1'790'857'026'000'000'001),
             std::string("2026-10-01 12:17:06.000000001 UTC"));
    QCOMPARE(formatUtc(-1), std::string("1969-12-31 23:59:59.999999999 UTC"));
}

void ExportTextTest::barsAreClippedToTheirCells() {
    QCOMPARE(shareBar(0.0, 4), std::string());
    QCOMPARE(shareBar(0.5, 4), std::string("██"));
    QCOMPARE(shareBar(0.125, 4), std::string("▌"));
    QCOMPARE(shareBar(2.0, 4), std::string("████"));
    QCOMPARE(shareBar(-1.0, 4), std::string());
    QCOMPARE(shareBar(0.0 / 0.0, 4), std::string());
}

void ExportTextTest::ambiguousKernelsKeepTheirTemplateArguments_data() {
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("label");
    QTest::newRow("namespaces go")
        << std::string("void at::native::fill<4, at::Half, std::array<char*, 1ul> >(int, at::Half)")
        << std::string("fill<4, Half, array<char*, 1ul>>");
    QTest::newRow("anonymous namespace")
        << std::string("void at::(anonymous namespace)::copy<(anonymous namespace)::Op>(char*)")
        << std::string("copy<Op>");
    QTest::newRow("lambda") << std::string("void a::f<a::g()::{lambda(float)#1}>(int)")
                            << std::string("f<g()::{lambda(float)#1}>");
    QTest::newRow("mangled") << std::string("_ZN5aiter4pathILi4EfEEvT0_")
                             << std::string("path<4, float>");
    QTest::newRow("mangled and cut off") << std::string("_ZN2ck6device11kernel_gemmINS_8GridwiseI")
                                         << std::string("kernel_gemm<Gridwise…>");
    QTest::newRow("no C++") << std::string("nvjet_hsh_64x8") << std::string("nvjet_hsh_64x8");
    QTest::newRow("copy") << std::string("Memcpy HtoD (Pageable -> Device)")
                          << std::string("Memcpy HtoD (Pageable -> Device)");
}

void ExportTextTest::ambiguousKernelsKeepTheirTemplateArguments() {
    QFETCH(std::string, name);
    QFETCH(std::string, label);
    QCOMPARE(kernelLabel(name), label);
}

void ExportTextTest::shortenedLabelsKeepTheBeginningOfTheirArguments() {
    const std::string label = "vectorized_elementwise_kernel<8, CUDAFunctor_add<Half>, array<x>>";
    QCOMPARE(fitKernelLabel(label, 80), label);
    QCOMPARE(fitKernelLabel(label, 33), std::string("vectorized…<8, CUDAFunctor_add<H…"));
    QCOMPARE(fitKernelLabel("add<8, CUDAFunctor_add<Half>, array<x>>", 24),
             std::string("add<8, CUDAFunctor_add<…"));
    QCOMPARE(fitKernelLabel("nvjet_hsh_64x8_NTT", 11), std::string("nvjet…8_NTT"));
    for (std::size_t columns = 0; columns < 70; ++columns) {
        QVERIFY(displayWidth(fitKernelLabel(label, columns)) <= columns);
    }
}

void ExportTextTest::labelledItemsGoOnBelowTheFirst() {
    QCOMPARE(labelledItems("keys", {"alpha 1", "beta 2", "gamma 33"}, width(40)),
             std::string("  keys          alpha 1, beta 2,\n"
                         "                gamma 33\n"));
    QCOMPARE(labelledItems("keys", {"alpha 1", "beta 2"}, width(0)),
             std::string("  keys          alpha 1, beta 2\n"));
}

void ExportTextTest::momentsBeyondTheRangeAreItsEnds() {
    using Limits = std::numeric_limits<TimeNs>;
    QCOMPARE(formatUtc(1'500'000'000, 250), std::string("1970-01-01 00:00:01.500000250 UTC"));
    const std::string last = "2262-04-11 23:47:16.854775807 UTC";
    QCOMPARE(formatUtc(Limits::max()), last);
    QCOMPARE(formatUtc(Limits::max() - 10, 1000), last);
    QVERIFY(formatUtc(Limits::min()).starts_with("1677-09-2"));
    QCOMPARE(formatUtc(Limits::min(), -1), formatUtc(Limits::min()));
}

void ExportTextTest::csvQuotesWhatNeedsIt_data() {
    QTest::addColumn<std::string>("field");
    QTest::addColumn<std::string>("written");
    QTest::newRow("plain") << std::string("nvjet_hsh") << std::string("nvjet_hsh");
    QTest::newRow("comma") << std::string("f<a, b>") << std::string("\"f<a, b>\"");
    QTest::newRow("quote") << std::string("a\"b") << std::string("\"a\"\"b\"");
    QTest::newRow("line break") << std::string("a\nb") << std::string("a\\nb");
    QTest::newRow("formula") << std::string("=HYPERLINK(\"http://x\", 1)")
                             << std::string("\"'=HYPERLINK(\"\"http://x\"\", 1)\"");
    QTest::newRow("minus") << std::string("-2+3") << std::string("'-2+3");
}

void ExportTextTest::csvQuotesWhatNeedsIt() {
    QFETCH(std::string, field);
    QFETCH(std::string, written);
    QCOMPARE(csvLine(std::vector<std::string>{csvName(field)}), written + "\n");
}

void ExportTextTest::markdownKeepsMarkupOutOfNames() {
    QCOMPARE(markdownText("a|b_c<d>"), std::string("a\\|b\\_c\\<d\\>"));
    QCOMPARE(markdownCode("f<a|b>"), std::string("`f<a\\|b>`"));
    QCOMPARE(markdownCode("a`b"), std::string("`` a`b ``"));
    QCOMPARE(markdownCode("a\nb"), std::string("`a\\nb`"));
}

void ExportTextTest::tabulateLineIsReadFromTheRight_data() {
    QTest::addColumn<std::string>("line");
    QTest::addColumn<std::string>("name");
    const std::string figures = ", 10.25%, 7.28%, 8.68%, 0.00%, 52.45%, 78.67%, 0.327ms";
    QTest::newRow("plain") << "Output for tabulate: None" + figures << std::string("None");
    QTest::newRow("comma in the name")
        << "Output for tabulate: bert, large" + figures << std::string("bert, large");
    QTest::newRow("behind a log prefix, Windows line end")
        << "[rank0] Output for tabulate: x" + figures + "\r" << std::string("x");
}

void ExportTextTest::tabulateLineIsReadFromTheRight() {
    QFETCH(std::string, line);
    QFETCH(std::string, name);
    const auto row = parseTabulateLine(line);
    QVERIFY(row.has_value());
    QCOMPARE(row->name, name);
    QCOMPARE(row->percent, (std::array<double, 6>{10.25, 7.28, 8.68, 0.0, 52.45, 78.67}));
    QCOMPARE(row->wallMs, 0.327);
}

void ExportTextTest::whatIsNoTabulateLineGivesNothing_data() {
    QTest::addColumn<std::string>("line");
    QTest::newRow("empty") << std::string();
    QTest::newRow("another line") << std::string("Total wall time 0.327 ms");
    QTest::newRow("too few") << std::string("Output for tabulate: None, 1.00%, 0.327ms");
    QTest::newRow("no unit") << std::string(
        "Output for tabulate: None, 1%, 2%, 3%, 4%, 5%, 6%, 0.327");
    QTest::newRow("no number") << std::string(
        "Output for tabulate: None, 1%, 2%, x%, 4%, 5%, 6%, 0.327ms");
}

void ExportTextTest::whatIsNoTabulateLineGivesNothing() {
    QFETCH(std::string, line);
    QVERIFY(!parseTabulateLine(line).has_value());
}

void ExportTextTest::tabulateRowsKeepTheOrderOfTheLine() {
    const std::vector<TabulateRow> rows{
        {"runs/a.txt", "bert, large", {1.5, 2.0, 3.0, 4.0, 5.0, 15.5}, 0.327}};
    QCOMPARE(tabulateCsv(rows),
             std::string("benchmark_name,pointwise_percent,reduction_percent,"
                         "persistent_reduction_percent,triton_unknown_percent,unknown_percent,"
                         "gpu_busy_percent,wall_time_ms,file\n"
                         "\"bert, large\",1.50,2.00,3.00,4.00,5.00,15.50,0.327,runs/a.txt\n"));
    QVERIFY(tabulateJson(rows).find("\"persistent_reduction_percent\": 3.0") != std::string::npos);
    QVERIFY(tabulateText(rows, {.width = 200}).find("bert, large") != std::string::npos);
}

QTEST_APPLESS_MAIN(ExportTextTest)
#include "ExportTextTest.moc"
