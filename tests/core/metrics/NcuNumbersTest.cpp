// SPDX-License-Identifier: Apache-2.0
// Tables of Nsight Compute as other locales, editors and talkative programs leave them.
#include <fmt/format.h>

#include <QtTest>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "core/metrics/Csv.h"
#include "core/ncu/Profile.h"

using namespace kinetoscope;

namespace {

const std::string kHeader = R"("ID","Kernel Name","Grid Size","a","b")"
                            "\n"
                            R"("","","","us","byte")"
                            "\n";

std::string rowOf(const std::string& a, const std::string& b) {
    return fmt::format("\"0\",\"gemm\",\"(64, 1, 1)\",\"{}\",\"{}\"\n", a, b);
}

// The values of the first launch: ns, bytes.
std::vector<double> valuesOf(const std::string& a, const std::string& b,
                             const std::string& more = {}) {
    const auto profile = ncu::parseProfile(kHeader + rowOf(a, b) + more);
    return profile ? profile->launches.at(0).values : std::vector<double>{};
}

}  // namespace

class NcuNumbersTest final : public QObject {
    Q_OBJECT

private slots:
    void numbersOfLocales() {
        using Values = std::vector<double>;
        QCOMPARE(valuesOf("1,234.50", "12,345,678.25"), (Values{1'234'500, 12'345'678.25}));
        QCOMPARE(valuesOf("1.234,50", "12.345.678,25"), (Values{1'234'500, 12'345'678.25}));
        QCOMPARE(valuesOf("1 234,50", "9,25"), (Values{1'234'500, 9.25}));
        QCOMPARE(valuesOf("1\u00a0234,50", "12\u202f345\u202f678"),
                 (Values{1'234'500, 12'345'678}));
        QCOMPARE(valuesOf("1'234.50", "1\u2019234"), (Values{1'234'500, 1'234}));
        QCOMPARE(valuesOf("12,34,567.5", "-0.125"), (Values{1'234'567'500, -0.125}));
        QCOMPARE(valuesOf("1.5e+03", "1.234e+05"), (Values{1'500'000, 123'400}));
    }

    // "1.234" and "1,234" alone say nothing: other numbers of the file do.
    void formsThatSayNothing() {
        using Values = std::vector<double>;
        QCOMPARE(valuesOf("1.234", "12,345"), (Values{1'234, 12'345}));
        QCOMPARE(valuesOf("1.234", "12,345", rowOf("7,5", "2")), (Values{1'234'000, 12.345}));
        QCOMPARE(valuesOf("1.234", "12,345", rowOf("1.234.567", "2")), (Values{1'234'000, 12.345}));
        QCOMPARE(valuesOf("1.234", "12,345", rowOf("7.5", "2")), (Values{1'234, 12'345}));
        QCOMPARE(valuesOf("0,125", "1.234"), (Values{125, 1'234}));
    }

    void whatIsNoNumber() {
        for (const char* const text : {"12.4.1", "1,2,3", "1 2", "1,23,4.5", "1.2,3.4", "-", ".",
                                       ",", "1 234 56", "\u00a0", "\xc2", "1\xe2\x80", "1e999"}) {
            const auto values = valuesOf("1", text, rowOf("1", "2"));
            QCOMPARE(values.size(), 2U);
            QVERIFY2(std::isnan(values[1]), text);
        }
    }

    void linesBehindTheTable() {
        const std::string table = kHeader + rowOf("1", "2");
        for (const char* more :
             {"training done, loss 0.3\n", "a, b, c, d, e\n", "\n  \n", "==PROF== Report: x\n"}) {
            const auto profile = ncu::parseProfile(table + more);
            QVERIFY2(profile, more);
            QCOMPARE(profile->launches.size(), 1U);
            const auto between = ncu::parseProfile(table + more + rowOf("3", "4"));
            QVERIFY2(between, more);
            QCOMPARE(between->launches.size(), 2U);
        }
        // Cut in a row, it is no whole table.
        QVERIFY(!ncu::parseProfile(table + "\"0\",\"gemm\",\"(64"));
        // A name on two lines.
        const auto lines = ncu::parseProfile(
            kHeader + "\"0\",\"two\nlines\",\"(64, 1, 1)\",\"1\",\"2\"\n" + rowOf("3", "4"));
        QVERIFY(lines);
        QCOMPARE(lines->launches.size(), 2U);
        QCOMPARE(lines->launches[0].kernel, "two\nlines");
    }

    // Runs appended to one file: each table has units and columns of its own.
    void severalTablesInOneFile() {
        const std::string one = kHeader + rowOf("1", "2");
        const std::string slower = R"("ID","Kernel Name","Grid Size","a","b")"
                                   "\n"
                                   R"("","","","ms","byte")"
                                   "\n" +
                                   rowOf("5", "6");
        const auto same = ncu::parseProfile(one + slower);
        QVERIFY(same);
        QCOMPARE(same->metrics, (std::vector<ncu::Metric>{{"a", "ns"}, {"b", "byte"}}));
        QCOMPARE(same->launches.size(), 2U);
        QCOMPARE(same->launches[1].kernel, "gemm");
        QCOMPARE(same->launches[0].values, (std::vector<double>{1'000, 2}));
        QCOMPARE(same->launches[1].values, (std::vector<double>{5'000'000, 6}));
        const auto other = ncu::parseProfile(one +
                                             "==PROF== Connected\n"
                                             "ID,b,Kernel Name,c\n,Kbyte,,us\n0,7,softmax,8\n");
        QVERIFY2(other, other ? "" : other.error().message.c_str());
        QCOMPARE(other->metrics,
                 (std::vector<ncu::Metric>{{"a", "ns"}, {"b", "byte"}, {"c", "ns"}}));
        QCOMPARE(other->launches.size(), 2U);
        QVERIFY(std::isnan(other->launches[0].values.at(2)));
        QCOMPARE(other->launches[1].kernel, "softmax");
        QVERIFY(std::isnan(other->launches[1].values.at(0)));
        QCOMPARE(other->launches[1].values[1], 7'000.0);
        QCOMPARE(other->launches[1].values[2], 8'000.0);
        // A table without a launch is none.
        QCOMPARE(ncu::parseProfile(kHeader + one)->launches.size(), 1U);
        const auto cut = ncu::parseProfile(one + kHeader + "\"0\",\"gemm\"\n");
        QVERIFY(!cut);
        QVERIFY2(cut.error().message.find("in table 2, row 2") != std::string::npos,
                 cut.error().message.c_str());
    }

    // A line for each metric: numbers of launches start again with each table.
    void severalTablesOfDetails() {
        const std::string header =
            R"("ID","Kernel Name","Metric Name","Metric Unit","Metric Value")"
            "\n";
        const auto profile = ncu::parseProfile(header + R"("0","gemm","Duration","us","1")" + "\n" +
                                               header + R"("0","gemm","Duration","ms","5")" + "\n");
        QVERIFY(profile);
        QCOMPARE(profile->launches.size(), 2U);
        QCOMPARE(profile->launches[0].values, (std::vector<double>{1'000}));
        QCOMPARE(profile->launches[1].values, (std::vector<double>{5'000'000}));
        const auto both = ncu::parseProfile(header + R"("0","gemm","Duration","us","1")" + "\n" +
                                            kHeader + rowOf("3", "4"));
        QVERIFY(both);
        QCOMPARE(both->launches.size(), 2U);
        QCOMPARE(both->launches[1].values.at(2), 4.0);
    }

    void byteOrderMark() {
        const auto profile = ncu::parseProfile("\xef\xbb\xbf" + kHeader + rowOf("1", "2"));
        QVERIFY(profile);
        QCOMPARE(profile->metrics.size(), 2U);
        QCOMPARE(profile->metrics[0].name, "a");
    }

    void tablesOfEditors() {
        const auto table = metrics::parseCsv(
            "\xef\xbb\xbf"
            "a,b\r\n1,2\r\n\r\n\n");
        QVERIFY2(table, table ? "" : table.error().message.c_str());
        QCOMPARE(table->columns.at(0), "a");
        QCOMPARE(table->rows.size(), 1U);
        QVERIFY(!metrics::parseCsv("a,b\n\n1,2\n"));
        QCOMPARE(metrics::parseCsv("a\n\n1\n")->rows.size(), 2U);
        QVERIFY(!metrics::parseCsv("\xef\xbb\xbf"));
    }

    void quotesThatDoNotClose() {
        const auto message = [](std::string_view text) {
            const auto table = metrics::parseCsv(text);
            return table ? std::string("read") : table.error().message;
        };
        const std::string header = "the row with the names of the columns has ";
        QCOMPARE(message("a,\"b\n1,2\n3,4\n"), header + "a quote without an end");
        QCOMPARE(message("\"a\"x,b\n1,2\n"), header + "text behind the closing quote of a field");
        QCOMPARE(message("a\n1\n\"2\"x\n"), "row 2 has text behind the closing quote of a field");
        QCOMPARE(message("a\n\"1\" \n2\n"), "row 1 has text behind the closing quote of a field");
        QCOMPARE(message("a,b\n1,\"2\n\n"), "row 1 has a quote without an end");
        QCOMPARE(message("\"a\",\"b\"\r\n\"1\",\"2\"\r\n\"\",\"4\""), "read");
    }

    // Each row looked through all that follow: a minute of processor time for these.
    void manyBlankLines() {
        constexpr std::size_t kLines = 200'000;
        const std::clock_t begin = std::clock();
        const auto table = metrics::parseCsv("a\n" + std::string(kLines, '\n') + "1\n\n\n");
        QVERIFY(table);
        QCOMPARE(table->rows.size(), kLines + 1);
        QVERIFY((std::clock() - begin) / CLOCKS_PER_SEC < 10);
    }
};

QTEST_APPLESS_MAIN(NcuNumbersTest)
#include "NcuNumbersTest.moc"
