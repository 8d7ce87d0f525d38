// SPDX-License-Identifier: Apache-2.0
#include <QtTest>
#include <string>

#include "core/import/repair/JsonRepair.h"
#include "core/json/JsonLimits.h"

using namespace kinetoscope::import::repair;
using namespace kinetoscope::json;

class JsonRepairTest final : public QObject {
    Q_OBJECT

private slots:
    void jsonIsRepaired_data();
    void jsonIsRepaired();
};

void JsonRepairTest::jsonIsRepaired_data() {
    QTest::addColumn<std::string>("raw");
    QTest::addColumn<std::string>("strict");
    QTest::newRow("strict") << std::string(R"({"a": 1.50})") << std::string(R"({"a": 1.50})");
    QTest::newRow("words") << std::string("[NaN, -inf, N/A, true]")
                           << std::string("[null, null, null, true]");
    QTest::newRow("commas") << std::string("[,1,,2,]") << std::string("[1,2]");
    QTest::newRow("control") << std::string("\"a\x02\"") << std::string("\"a\\u0002\"");
    QTest::newRow("escape") << std::string(R"("a\qb")") << std::string(R"("a\\qb")");
    QTest::newRow("UTF-8") << std::string("\"\xff\"") << std::string("\"\xef\xbf\xbd\"");
    QTest::newRow("numbers") << std::string("[1., 00012, +7, .5, -.25e+02, 1e999, 1-2]")
                             << std::string("[1, 12, 7, 0.5, -0.25e+02, \"1e999\", null]");
    QTest::newRow("colon is missing") << std::string(R"({"a" 1})") << std::string(R"({"a": 1})");
    QTest::newRow("comma is missing")
        << std::string(R"({"a": 37< "b": 2})") << std::string(R"({"a": 37, "b": 2})");
    QTest::newRow("value is missing")
        << std::string(R"({"a": , "b": })") << std::string(R"({"a": null, "b": null})");
    QTest::newRow("key for a value")
        << std::string(R"({"a": "b": 2})") << std::string(R"({"a": null,"b": 2})");
    QTest::newRow("no members") << std::string(R"({"a": 1, 2, {"b": 3}, "c": 4})")
                                << std::string(R"({"a": 1,   "c": 4})");
    QTest::newRow("garbage") << std::string("[1 2 ;; 3]") << std::string("[1, 2,  3]");
    QTest::newRow("NUL") << std::string("{\"a\":\0 1}", 9) << std::string("{\"a\": 1}");
    QTest::newRow("bracket is missing")
        << std::string(R"({"a": [1, 2, "b": 3})") << std::string(R"({"a": [1, 2 ],"b": 3})");
    QTest::newRow("bracket too many") << std::string(R"({"a": 1]})") << std::string(R"({"a": 1})");
    QTest::newRow("backslash before a brace") << std::string(R"({"a": {"b": 3\}, "c": [{4\}, 5]})")
                                              << std::string(R"({"a": {"b": 3}, "c": [{}, 5]})");
    QTest::newRow("backslash before a quote")
        << std::string(R"({"a": 1\", "b": 2})") << std::string(R"({"a": 1, "b": 2})");
    QTest::newRow("surrogate") << std::string(R"("\ud800")") << std::string("\"\xef\xbf\xbd\"");
    const std::string open(kMaxJsonDepth, '[');
    const std::string close(kMaxJsonDepth, ']');
    QTest::newRow("deep") << "[" + open + "1" + close + ", 2]"
                          << open + "null" + close.substr(1) + ", 2]";
    QTest::newRow("nothing") << std::string(" ;;") << std::string();
}

void JsonRepairTest::jsonIsRepaired() {
    QFETCH(std::string, raw);
    QFETCH(std::string, strict);
    QCOMPARE(repairedJson(raw), strict);
}

QTEST_APPLESS_MAIN(JsonRepairTest)
#include "JsonRepairTest.moc"
