// SPDX-License-Identifier: Apache-2.0
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "core/about/About.h"

using namespace kinetoscope;
using namespace kinetoscope::about;

namespace {

const Component& part(const About& about, std::string_view name) {
    return *std::ranges::find(about.components, name, &Component::name);
}

}  // namespace

class AboutTest final : public QObject {
    Q_OBJECT

private slots:
    /// What is there says its version, what is not says why.
    void everyPartSaysWhy() {
        qputenv("KINETOSCOPE_TORCH", "/nowhere/kscope-torch");
        const About about = findOut("1.2.3");
        QCOMPARE(about.version, std::string("1.2.3"));
        QVERIFY(!about.compiler.empty());
        for (const char* name :
             {"NVIDIA driver", "NVML", "CUPTI", "NVRTC", "kscope-torch", "zlib", "zstd", "ISA-L"}) {
            QVERIFY2(
                std::ranges::count(about.components, std::string_view(name), &Component::name) == 1,
                name);
            const Component& one = part(about, name);
            QVERIFY2(one.available ? !one.version.empty() : !one.problem.empty(), name);
            QVERIFY2(!one.purpose.empty(), name);
        }
        QVERIFY(part(about, "zlib").available && part(about, "zstd").available);
        QVERIFY(!part(about, "kscope-torch").available);
        QVERIFY(part(about, "kscope-torch").problem.find("/nowhere/kscope-torch") !=
                std::string::npos);
    }

    /// The helper tells its PyTorch before it finds that there is nothing to do.
    void theHelperIsAsked() {
        QTemporaryDir folder;
        QFile helper(folder.filePath("kscope-torch"));
        QVERIFY(helper.open(QIODevice::WriteOnly));
        helper.write(
            "#!/bin/sh\n"
            "cat > /dev/null\n"
            "echo '{\"event\":\"torch\",\"version\":\"9.8.7\",\"device\":\"cpu\"}'\n"
            "echo '{\"event\":\"failed\",\"message\":\"unknown task\"}'\n");
        helper.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        helper.close();
        qputenv("KINETOSCOPE_TORCH", helper.fileName().toLocal8Bit());
        const About about = findOut("1");
        const Component& torch = part(about, "kscope-torch");
        QVERIFY2(torch.available, torch.problem.c_str());
        QCOMPARE(torch.version, std::string("PyTorch 9.8.7 on cpu"));
        QCOMPARE(torch.path, helper.fileName().toStdString());
    }

    void textAndJsonSayTheSame() {
        const About about{"1.2",
                          "",
                          "GCC 12",
                          {{"CUPTI", false, "", "", "recording", "no \x1b[2J library"},
                           {"zstd", true, "1.5", "/lib/z", "files", ""}}};
        const std::string text = aboutText(about);
        QVERIFY(text.find("commit") == std::string::npos);
        QVERIFY2(text.find("no \\x1b[2J library") != std::string::npos, text.c_str());
        QVERIFY(text.find("not available") != std::string::npos);
        QVERIFY(text.find("/lib/z") != std::string::npos);
        const QJsonObject json =
            QJsonDocument::fromJson(QByteArray::fromStdString(aboutJson(about))).object();
        QVERIFY(json["commit"].isNull());
        const QJsonArray all = json["components"].toArray();
        QCOMPARE(all.size(), 2);
        QCOMPARE(all[0].toObject()["available"].toBool(), false);
        QCOMPARE(all[1].toObject()["version"].toString(), QString("1.5"));
    }
};

QTEST_APPLESS_MAIN(AboutTest)
#include "AboutTest.moc"
