// SPDX-License-Identifier: Apache-2.0
// Pickles as plain values: what Python wrote in each protocol, what asks for more than data, and
// damage. KINETOSCOPE_MUTATIONS says how many damaged ones.
#include <fmt/format.h>

#include <QtTest>
#include <array>

#include "core/base/Threads.h"
#include "core/pickle/ReadPickle.h"
#include "tests/support/Mutator.h"

using namespace kinetoscope;
using namespace kinetoscope::pickle;

namespace {

// {'t': 'zé\n', 'i': [0, 255, 256, 65536, -1, 2**40, -2**62, 2**63, 2**70], 'f': [1.5, -0.25],
//  'n': None, 'b': (True, False), 'd': {1: 'one', (2, 3): b'\x00\xff'}, 's': {7},
//  'deep': [[[]]], 'same': the list of 'deep'}, by pickle.dumps() of Python 3.11 in protocols 0
//  to 5.
const std::array<const char*, 6> kWritten{
    "286470300a56740a70310a567ae95c75303030610a70320a7356690a70330a286c70340a49300a61493235"
    "350a61493235360a614936353533360a61492d310a614c313039393531313632373737364c0a614c2d3436"
    "31313638363031383432373338373930344c0a614c393232333337323033363835343737353830384c0a61"
    "4c313138303539313632303731373431313330333432344c0a617356660a70350a286c70360a46312e350a"
    "61462d302e32350a6173566e0a70370a4e7356620a70380a284930310a4930300a7470390a7356640a7031"
    "300a28647031310a49310a566f6e650a7031320a732849320a49330a747031330a635f636f646563730a65"
    "6e636f64650a7031340a28565c7530303030ff0a7031350a566c6174696e310a7031360a747031370a5270"
    "31380a737356730a7031390a635f5f6275696c74696e5f5f0a7365740a7032300a28286c7032310a49370a"
    "61747032320a527032330a7356646565700a7032340a286c7032350a286c7032360a286c7032370a616173"
    "5673616d650a7032380a6732350a732e",
    "7d710028580100000074710158040000007ac3a90a710258010000006971035d7104284b004bff4d00014a"
    "000001004affffffff4c313039393531313632373737364c0a4c2d34363131363836303138343237333837"
    "3930344c0a4c393232333337323033363835343737353830384c0a4c313138303539313632303731373431"
    "313330333432344c0a6558010000006671055d710628473ff800000000000047bfd0000000000000655801"
    "0000006e71074e5801000000627108284930310a4930300a747109580100000064710a7d710b284b015803"
    "0000006f6e65710c284b024b0374710d635f636f646563730a656e636f64650a710e28580300000000c3bf"
    "710f58060000006c6174696e317110747111527112755801000000737113635f5f6275696c74696e5f5f0a"
    "7365740a7114285d71154b076174711652711758040000006465657071185d71195d711a5d711b61615804"
    "00000073616d65711c6819752e",
    "80027d710028580100000074710158040000007ac3a90a710258010000006971035d7104284b004bff4d00"
    "014a000001004affffffff8a060000000000018a0800000000000000c08a090000000000000080008a0900"
    "00000000000000406558010000006671055d710628473ff800000000000047bfd000000000000065580100"
    "00006e71074e58010000006271088889867109580100000064710a7d710b284b0158030000006f6e65710c"
    "4b024b0386710d635f636f646563730a656e636f64650a710e580300000000c3bf710f58060000006c6174"
    "696e317110867111527112755801000000737113635f5f6275696c74696e5f5f0a7365740a71145d71154b"
    "076185711652711758040000006465657071185d71195d711a5d711b6161580400000073616d65711c6819"
    "752e",
    "80037d710028580100000074710158040000007ac3a90a710258010000006971035d7104284b004bff4d00"
    "014a000001004affffffff8a060000000000018a0800000000000000c08a090000000000000080008a0900"
    "00000000000000406558010000006671055d710628473ff800000000000047bfd000000000000065580100"
    "00006e71074e58010000006271088889867109580100000064710a7d710b284b0158030000006f6e65710c"
    "4b024b0386710d430200ff710e75580100000073710f636275696c74696e730a7365740a71105d71114b07"
    "6185711252711358040000006465657071145d71155d71165d71176161580400000073616d657118681575"
    "2e",
    "800495b5000000000000007d94288c0174948c047ac3a90a948c0169945d94284b004bff4d00014a000001"
    "004affffffff8a060000000000018a0800000000000000c08a090000000000000080008a09000000000000"
    "000040658c0166945d9428473ff800000000000047bfd0000000000000658c016e944e8c01629488898694"
    "8c0164947d94284b018c036f6e65944b024b038694430200ff94758c0173948f94284b07908c0464656570"
    "945d945d945d9461618c0473616d65946812752e",
    "800595b5000000000000007d94288c0174948c047ac3a90a948c0169945d94284b004bff4d00014a000001"
    "004affffffff8a060000000000018a0800000000000000c08a090000000000000080008a09000000000000"
    "000040658c0166945d9428473ff800000000000047bfd0000000000000658c016e944e8c01629488898694"
    "8c0164947d94284b018c036f6e65944b024b038694430200ff94758c0173948f94284b07908c0464656570"
    "945d945d945d9461618c0473616d65946812752e"};

std::string bytesOf(const char* hex) {
    return QByteArray::fromHex(hex).toStdString();
}

std::string messageOf(std::string_view text) {
    const auto document = readPickle(text);
    return document ? std::string("read") : document.error().message;
}

// Goes through everything to a known depth, as readers of such files do.
std::size_t walk(const Document& document, Value value, int depth) {
    std::size_t seen = document.text(value).size() + (document.number(value) ? 1 : 0);
    if (depth == 0) {
        return seen;
    }
    constexpr std::size_t kMax = 64;
    for (const Value element :
         document.elements(value).first(std::min(kMax, document.elements(value).size()))) {
        seen += walk(document, element, depth - 1);
    }
    for (std::size_t i = 0; i < std::min(kMax, document.members(value)); ++i) {
        const Item item = document.member(value, i);
        seen += walk(document, item.key, 0) + walk(document, item.value, depth - 1);
    }
    return seen;
}

}  // namespace

class PickleTest : public QObject {
    Q_OBJECT

private slots:
    void everyProtocol() {
        for (const char* const hex : kWritten) {
            const std::string bytes = bytesOf(hex);
            const auto read = readPickle(bytes);
            QVERIFY2(read, read ? "" : read.error().message.c_str());
            const Document& d = *read;
            QCOMPARE(d.textBytes(), bytes.size());
            QCOMPARE(d.members(d.root()), std::size_t{9});
            QCOMPARE(d.text(d.find(d.root(), "t")), std::string_view("zé\n"));
            const auto ints = d.elements(d.find(d.root(), "i"));
            const std::array<std::int64_t, 7> wanted{
                0, 255, 256, 65536, -1, std::int64_t{1} << 40, -(std::int64_t{1} << 62)};
            QCOMPARE(ints.size(), std::size_t{9});
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                QCOMPARE(d.integer(ints[i]).value_or(-99), wanted[i]);
            }
            QCOMPARE(ints[7].kind(), Kind::Huge);
            QCOMPARE(ints[8].kind(), Kind::Huge);
            QCOMPARE(d.number(d.elements(d.find(d.root(), "f"))[1]).value_or(0), -0.25);
            QVERIFY(d.find(d.root(), "n").isNone());
            const auto pair = d.elements(d.find(d.root(), "b"));
            QCOMPARE(d.integer(pair[0]).value_or(-1), 1);
            QCOMPARE(d.integer(pair[1]).value_or(-1), 0);
            const Value dict = d.find(d.root(), "d");
            QCOMPARE(d.text(d.find(dict, d.member(dict, 0).key)), std::string_view("one"));
            QCOMPARE(d.elements(d.member(dict, 1).key).size(), std::size_t{2});
            QCOMPARE(d.text(d.member(dict, 1).value), std::string_view("\0\xff", 2));
            QCOMPARE(d.integer(d.elements(d.find(d.root(), "s"))[0]).value_or(0), 7);
            QVERIFY(d.find(d.root(), "deep") == d.find(d.root(), "same"));
            QVERIFY(d.find(d.root(), "missing").isNone());
        }
    }

    // A list that goes on in a second batch, and two with the same beginning.
    void listsGrowApart() {
        const auto read = readPickle(
            "](](K\x01K\x02"
            "eq\x01](K\x01K\x02"
            "eq\x02h\x01(K\x03"
            "e0e.");
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        const auto both = read->elements(read->root());
        QCOMPARE(both.size(), std::size_t{2});
        QCOMPARE(read->elements(both[0]).size(), std::size_t{3});
        QCOMPARE(read->integer(read->elements(both[0])[2]).value_or(0), 3);
        QCOMPARE(read->elements(both[1]).size(), std::size_t{2});
    }

    // Equal keys: the last one counts.
    void lastKeyWins() {
        const auto read = readPickle(
            "}(U\x01"
            "aK\x01U\x01"
            "aK\x02u.");
        QVERIFY(read);
        QCOMPARE(read->integer(read->find(read->root(), "a")).value_or(0), 2);
    }

    void plainClasses() {
        const auto ordered = readPickle(
            "\x80\x02"
            "ccollections\nOrderedDict\n)RU\x01"
            "aK\x05s.");
        QVERIFY2(ordered, ordered ? "" : ordered.error().message.c_str());
        QCOMPARE(ordered->integer(ordered->find(ordered->root(), "a")).value_or(0), 5);
        const auto size = readPickle(
            "\x80\x02"
            "ctorch\nSize\n](K\x05K\x06"
            "e\x85R.");
        QVERIFY(size);
        QCOMPARE(size->root().kind(), Kind::Tuple);
        QCOMPARE(size->elements(size->root()).size(), std::size_t{2});
        const auto type = readPickle(
            "\x80\x02"
            "ctorch\nbfloat16\n.");
        QVERIFY(type);
        QCOMPARE(type->text(type->root()), std::string_view("bfloat16"));
        const auto tagged = readPickle(
            "\x80\x02"
            "ctorch.jit._pickle\nbuild_intlist\n](K\x05K\x06"
            "e\x85R.");
        QVERIFY(tagged);
        QCOMPARE(tagged->elements(tagged->root()).size(), std::size_t{2});
    }

    void whatAsksForMoreIsRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, std::string_view bytes, const char* said) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size()))
                                << QString(said);
        };
        row("call", "cposix\nsystem\n(S'touch /tmp/owned'\ntR.",
            "byte 0: it asks for 'posix.system'");
        row("by stack", "\x80\x04\x8c\x02os\x8c\x06system\x93.",
            "byte 14: it asks for 'os.system'");
        row("eval", "cbuiltins\neval\n.", "'builtins.eval'");
        row("torch", "ctorch\nload\n.", "'torch.load'");
        row("instance", "(S'a'\nios\nsystem\n.", "INST");
        row("object", "(cbuiltins\nset\no.", "OBJ");
        row("build", "}}b.", "BUILD");
        row("store", "Pabc\n.", "PERSID");
        row("registered", "\x80\x02\x82\x01.", "EXT1");
        row("buffer", "\x80\x05\x97.", "NEXT_BUFFER");
        row("call of data", "K\x01)R.", "not a class");
        row("call of a type", "ctorch\nfloat32\n)R.", "it calls");
    }
    void whatAsksForMoreIsRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        const QString message = QString::fromStdString(messageOf(bytes.toStdString()));
        QVERIFY2(message.contains(said), qPrintable(message));
        QVERIFY2(message.startsWith("is not a pickle that can be read: byte "),
                 qPrintable(message));
    }

    void damageIsSaid_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, std::string_view bytes, const char* said) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size()))
                                << QString(said);
        };
        row("empty", "", "byte 0: it ends in the middle");
        row("cut", "\x80\x04]", "byte 3: it ends in the middle");
        row("cut text",
            "\x80\x04X\xff\xff\xff\x0f"
            "abc",
            "byte 2: it ends in the middle");
        row("long text",
            "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7f"
            "abc",
            "at most");
        row("long number", "\x80\x02\x8b\xff\xff\xff\xff", "at most");
        row("new protocol", "\x80\x09.", "protocol 9");
        row("no instruction", "\x80\x04\xfe.", "0xfe is not an instruction");
        row("no value", "\x80\x04.", "a value is missing");
        row("no mark", "]e.", "a mark is missing");
        row("no list",
            "(K\x01"
            "e.",
            "a list is missing");
        row("no memo", "h\x07.", "value 7");
        row("far memo",
            "]r\xff\xff\xff\xff"
            "j\xfe\xff\xff\xff.",
            "value 4294967294");
        row("odd", "}(K\x01u.", "a key has no value");
        row("list as key", "}]K\x01s.", "a key is a list");
        row("into a number",
            "K\x01K\x02"
            "a.",
            "not a list");
        row("number", "I12x\n.", "a number is malformed");
        row("quotes", "Sabc\n.", "no quotes");
    }
    void damageIsSaid() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        const QString message = QString::fromStdString(messageOf(bytes.toStdString()));
        QVERIFY2(message.contains(said), qPrintable(message));
    }

    // Deep nesting, a list in itself, and lists that double: small, and no recursion.
    void bombsStaySmall() {
        constexpr std::size_t kDeep = 300'000;
        const auto deep = readPickle(std::string(kDeep, ']') + std::string(kDeep - 1, 'a') + ".");
        QVERIFY2(deep, deep ? "" : deep.error().message.c_str());
        const auto itself = readPickle(
            "]q\x01h\x01"
            "a.");
        QVERIFY(itself);
        QVERIFY(itself->elements(itself->root())[0] == itself->root());
        std::string laughs =
            "]K\x01"
            "aq";
        laughs += '\0';
        for (char i = 0; i < 100; ++i) {
            laughs += std::string("](") + "h" + i + "h" + i + "eq" + static_cast<char>(i + 1);
        }
        const auto doubled = readPickle(laughs + ".");
        QVERIFY2(doubled, doubled ? "" : doubled.error().message.c_str());
        QVERIFY(doubled->held() < 1000);
        QCOMPARE(doubled->elements(doubled->root()).size(), std::size_t{2});
    }

    // Every piece of a file may come alone.
    void readsInPieces() {
        std::string bytes = "\x80\x02](";
        for (int i = 0; i < 300'000; ++i) {
            bytes +=
                "U\x05"
                "abcde";
        }
        bytes += "e.";
        std::string_view rest = bytes;
        const auto read = readPickle(
            [&rest](char* to, std::size_t capacity) {
                const std::size_t count = std::min({capacity, rest.size(), std::size_t{977}});
                std::copy_n(rest.data(), count, to);
                rest.remove_prefix(count);
                return count;
            },
            {});
        QVERIFY(read);
        QCOMPARE(read->elements(read->root()).size(), std::size_t{300'000});
        QCOMPARE(read->text(read->elements(read->root())[299'999]), std::string_view("abcde"));
    }

    // Lists of recalled values that come again and again, also when a value has changed meanwhile.
    void listsThatComeAgain() {
        const auto list = [](const std::vector<char>& numbers) {
            std::string bytes = "](";
            for (const char number : numbers) {
                bytes += 'h';
                bytes += number;
            }
            return bytes + "e";
        };
        const auto remembered = [](char letter, char number) {
            return std::string("U\x01") + letter + 'q' + number;
        };
        const std::string twoLists = list({0, 1, 0}) + list({1});
        std::string bytes = "](" + remembered('a', 0) + remembered('b', 1);
        bytes += twoLists + twoLists + twoLists;
        bytes += remembered('c', 0) + twoLists + twoLists;
        bytes += list({0, 1, 0, 1}) + twoLists + "](h" + '\0' + "h\x01K\x05" + "e" + twoLists;
        const auto document = readPickle(bytes + "e.");
        QVERIFY2(document, document ? "" : document.error().message.c_str());
        QString told;
        for (const Value value : document->elements(document->root())) {
            for (const Value letter : document->elements(value)) {
                told += letter.kind() == Kind::Int
                            ? QStringLiteral("5")
                            : QString::fromLatin1(document->text(letter).data(), 1);
            }
            told += value.kind() == Kind::List ? ' ' : '.';
        }
        QCOMPARE(told, "..aba b aba b aba b .cbc b cbc b cbcb cbc b cb5 cbc b ");
    }

    // So many that memory for them is touched before it is needed.
    void manyValues() {
        constexpr std::size_t kLists = 2600;
        constexpr std::size_t kEach = 5000;  // too many to be looked for among other lists
        const auto number = [](std::size_t list, std::size_t place) {
            return static_cast<unsigned char>((7 * list + place) % 251);
        };
        std::string bytes = "\x80\x02](";
        for (std::size_t list = 0; list < kLists; ++list) {
            bytes += "](";
            for (std::size_t place = 0; place < kEach; ++place) {
                bytes += 'K';
                bytes += static_cast<char>(number(list, place));
            }
            bytes += 'e';
        }
        const auto document = readPickle(bytes + "e.");
        QVERIFY(document);
        const auto lists = document->elements(document->root());
        QCOMPARE(lists.size(), kLists);
        std::size_t wrong = 0;
        for (std::size_t list = 0; list < kLists; ++list) {
            const auto elements = document->elements(lists[list]);
            QCOMPARE(elements.size(), kEach);
            for (std::size_t place = 0; place < kEach; ++place) {
                wrong += document->integer(elements[place]) == number(list, place) ? 0U : 1U;
            }
        }
        QCOMPARE(wrong, 0U);
    }

    void mutationsAreRefusedOrRead() {
        const std::size_t count = test::mutations(2000);
        std::size_t refused = 0;
        for (std::uint64_t number = 0; number < count; ++number) {
            const std::string bytes =
                test::Mutator(number).bytes(bytesOf(kWritten[number % kWritten.size()]));
            const auto read = guarded([&] { return readPickle(bytes); });
            if (read) {
                (void)walk(*read, read->root(), 4);
            } else {
                ++refused;
                QVERIFY2(
                    read.error().message.starts_with("is not a pickle that can be read: byte "),
                    fmt::format("{}: {}", number, read.error().message).c_str());
            }
        }
        QVERIFY(refused > 500);
    }

    void beginningsOfPickles() {
        // Protocols 0 and 1 without a memo, as pickletools.optimize leaves them.
        for (const std::string_view text :
             {"(dVsegments\n(lsVdevice_traces\n(ls.", "(dS'a'\nI1\ns.", "(d.", "(lI1\na.",
              "(l(dVa\nNsa.", "}X\1\0\0\0aK\1s."}) {
            QVERIFY2(looksLikePickle(text), std::string(text).c_str());
        }
        for (const char* const hex : kWritten) {
            QVERIFY(looksLikePickle(bytesOf(hex)));
        }
        for (const std::string_view other :
             {"(define", "(d", "(list", "(l", "{\"traceEvents\": []}", "[{", "", "\x1f\x8b",
              "\x80\x63"}) {
            QVERIFY(!looksLikePickle(other));
        }
    }
};

QTEST_APPLESS_MAIN(PickleTest)
#include "PickleTest.moc"
