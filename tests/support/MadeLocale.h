// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <clocale>

namespace kinetoscope::tests {

/// The process in a locale as long as it lives. It is made in a folder of its own, by glibc's
/// localedef and descriptions, since few machines have it.
class MadeLocale {
public:
    explicit MadeLocale(const QString& name) {
        const QString made = m_folder.path() + "/" + name + ".UTF-8";
        QProcess process;
        process.start("localedef", {"-i", name, "-f", "UTF-8", made});
        // Its warnings end it with 1.
        const bool ended = process.waitForFinished(60'000) && process.exitCode() <= 1;
        qputenv("LOCPATH", m_folder.path().toLocal8Bit());
        m_set = ended && std::setlocale(LC_ALL, (name + ".UTF-8").toLatin1()) != nullptr;
        qunsetenv("LOCPATH");
    }
    MadeLocale(const MadeLocale&) = delete;
    MadeLocale& operator=(const MadeLocale&) = delete;
    ~MadeLocale() { std::setlocale(LC_ALL, "C"); }

    /// False where there is no localedef.
    [[nodiscard]] bool isSet() const { return m_set; }

private:
    QTemporaryDir m_folder;
    bool m_set = false;
};

}  // namespace kinetoscope::tests
