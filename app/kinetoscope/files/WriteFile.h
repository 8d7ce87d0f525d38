// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

namespace kinetoscope::app {

/// Writes the whole file or nothing; what is not a regular file (a device, a pipe) is written to as
/// it is. A pipe waits for its reader. Returns one line about what went wrong; empty: nothing did.
[[nodiscard]] QString writeFile(const QString& path, const QByteArray& bytes);
[[nodiscard]] QString writePng(const QString& path, const QImage& picture);

/// Checked before the window writes, as it must not wait: keeps the path open until it is written,
/// if it is a pipe.
class OpenPipe {
public:
    explicit OpenPipe(const QString& path);
    OpenPipe(const OpenPipe&) = delete;
    OpenPipe& operator=(const OpenPipe&) = delete;
    ~OpenPipe();
    /// Why it would wait, in one line; empty if it is not a pipe or has a reader.
    [[nodiscard]] const QString& problem() const { return m_problem; }

private:
    int m_descriptor = -1;
    QString m_problem;
};

}  // namespace kinetoscope::app
