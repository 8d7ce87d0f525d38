// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <QtTest>

#include "core/json/Json.h"

using namespace kinetoscope;
using namespace kinetoscope::json;

namespace {

std::string repeated(std::string_view text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

std::string nested(std::size_t depth) {
    return repeated("[", depth) + repeated("]", depth);
}

class Nothing final : public nlohmann::json_sax<nlohmann::json> {
public:
    std::size_t arrays = 0;
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return ++arrays > 0; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
        return false;
    }
};

}  // namespace

class JsonTest : public QObject {
    Q_OBJECT

private slots:
    void depthEndsAtTheLimit() {
        QVERIFY(parseJson(nested(kMaxJsonDepth)).has_value());
        QVERIFY(parseOrderedJson(nested(kMaxJsonDepth)).has_value());
        QVERIFY(isJson(nested(kMaxJsonDepth)));
        const std::string deeper = nested(kMaxJsonDepth + 1);
        QVERIFY(!parseJson(deeper) && !parseOrderedJson(deeper) && !isJson(deeper));
        Nothing receiver;
        QVERIFY(scanJson(nested(kMaxJsonDepth), receiver).has_value());
        QCOMPARE(receiver.arrays, kMaxJsonDepth);
        QVERIFY(!scanJson(deeper, receiver));
        QCOMPARE(receiver.arrays, kMaxJsonDepth);  // it was not asked at all
        QCOMPARE(parseJson(deeper).error().message, std::string("nests deeper than 128 brackets"));
    }

    void objectsCountAsArraysDo() {
        const std::string open = repeated("{\"a\":", 1'000'000);
        QVERIFY(!parseJson(open + "1" + std::string(1'000'000, '}')));
        QVERIFY(
            parseJson(repeated("{\"a\":", kMaxJsonDepth) + "1" + std::string(kMaxJsonDepth, '}'))
                .has_value());
    }

    void bracketsInStringsAreText() {
        const std::string text =
            "[\"\\\"\", \"" + std::string(1000, '[') + "\\\\\", {\"{\": \"\\\\\\\"\"}]";
        const auto json = parseJson(text);
        QVERIFY(json.has_value());
        QCOMPARE((*json)[1].get<std::string>().size(), 1001U);
    }

    void depthIsOfOpenBracketsOnly() {
        QVERIFY(parseJson("[" + repeated("[[]],", 1000) + "0]").has_value());
    }

    void listsAreCounted() {
        const std::string many = "[" + repeated("{},", kMaxJsonContainers) + "0]";
        QVERIFY(!parseJson(many));
        QVERIFY(withinJsonLimits("[" + repeated("{},", kMaxJsonContainers - 1) + "0]"));
    }

    void valuesAreCounted() {
        QVERIFY(!withinJsonLimits("[" + repeated("0,", kMaxJsonValues) + "0]"));
    }

    void bytesAreCounted() {
        // Nothing of it may be read, nor need be there.
        void* none = ::mmap(nullptr, kMaxJsonBytes + 1, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        QVERIFY(none != MAP_FAILED);
        QVERIFY(!parseJson({static_cast<const char*>(none), kMaxJsonBytes + 1}));
        ::munmap(none, kMaxJsonBytes + 1);
    }

    void whatIsNoJsonIsRefused() {
        for (const char* text : {"", " ", "{", "]", "[1,]", "{\"a\"}", "nan", "[1] x", "\"", "\"\\",
                                 "[1e999]", "\xff", "\"\xff\""}) {
            QVERIFY2(!parseJson(text) && !isJson(text), text);
            QCOMPARE(parseJson(text).error().message, std::string("is not valid JSON"));
        }
    }

    // nlohmann's lexer takes it for the end of the text, and what follows would be copied unread.
    void nothingHidesBehindAZero() {
        using namespace std::string_view_literals;
        for (const std::string_view text : {"{}\0"sv, "{}\0]"sv, "[1,\0 2]"sv, "\"\0\""sv}) {
            QVERIFY(!parseJson(text) && !parseOrderedJson(text) && !isJson(text));
            QCOMPARE(parseJson(text).error().message, std::string("is not valid JSON"));
        }
    }

    void membersKeepTheirOrder() {
        QCOMPARE(jsonText(*parseOrderedJson(R"({"b":1,"a":[true,null]})")),
                 std::string(R"({"b":1,"a":[true,null]})"));
        QCOMPARE(jsonText(*parseOrderedJson(R"({"b":1,"a":{"x":-1,"y":2.5},"b":"z"})")),
                 std::string(R"({"b":"z","a":{"x":-1,"y":2.5}})"));
        QCOMPARE(jsonText(*parseJson(R"({"b":1,"a":2})"), 1),
                 std::string("{\n \"a\": 2,\n \"b\": 1\n}"));
    }

    void terminalsAreSafeFromWhatIsWritten() {
        QCOMPARE(quotedJson("\u009b\x7f\u202e\ufeff\u2069"),
                 std::string(R"("\u009b\u007f\u202e\ufeff\u2069")"));
        const std::string harmless = "\u00a0\u00e9\u2027\u202f\u2026\U0001f600";
        QCOMPARE(quotedJson(harmless), "\"" + harmless + "\"");
        QCOMPARE(parseJson(quotedJson("a\u009bb"))->get<std::string>(), std::string("a\u009bb"));
    }

    void anyBytesCanBeWritten() {
        QCOMPARE(quotedJson("a\"\xff\n"), std::string("\"a\\\"\xef\xbf\xbd\\n\""));
        QCOMPARE(jsonText(nlohmann::json{{"a", "\xff"}, {"b", std::nan("")}}),
                 std::string("{\"a\":\"\xef\xbf\xbd\",\"b\":null}"));
    }
};

QTEST_APPLESS_MAIN(JsonTest)
#include "JsonTest.moc"
