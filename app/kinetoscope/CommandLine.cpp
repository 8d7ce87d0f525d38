// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/CommandLine.h"

#include <CLI/CLI.hpp>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <map>
#include <optional>

#include "app/kinetoscope/PanelRegistry.h"
#include "core/about/About.h"
#include "widgets/panels/parts/Panel.h"

namespace kinetoscope::app {

namespace {

constexpr int kMin = 200;
constexpr int kMax = 16384;

/// The texts as they were given, before they mean anything.
struct RawOptions {
    std::vector<std::string> files;
    std::string screenshot;
    std::string panel;
    bool compare = false;
    bool job = false;
    std::string select;
    std::string find;
    std::string size = "1600x1000";
    std::string theme;
    bool record = false;
};

QString panelNames() {
    QStringList names{QStringLiteral("timeline"), QStringLiteral("timelines")};
    for (const panels::PanelEntry& entry : panelTable()) {
        names.append(QString::fromLatin1(entry.id));
    }
    return names.join(QLatin1String(", "));
}

void declare(CLI::App& app, RawOptions& raw) {
    app.set_version_flag(
        "--version",
        about::versionText("kinetoscope", programVersion().toStdString()) + "\nQt " + qVersion());
    app.add_option("FILE", raw.files,
                   "Traces to open (Kineto or Chrome JSON, plain, gzip, zstd), memory snapshots")
        ->type_name("");
    app.add_flag("--compare", raw.compare, "Compare the first FILE with each of the others");
    app.add_flag("--job", raw.job,
                 "Open the FILEs, or those in a folder, as one job: traces, partials, or NCCL "
                 "flight recorder dumps");
    app.add_option("--screenshot", raw.screenshot,
                   "Render FILE to this PNG or SVG file and exit; needs no display")
        ->type_name("OUT.png");
    app.add_option("--panel", raw.panel,
                   "With --screenshot: only this panel: " + panelNames().toStdString() +
                       "; of a snapshot blocks, segments; with --job matrix, timeline, tables")
        ->type_name("NAME");
    app.add_option("--size", raw.size, "With --screenshot: size of the image in pixels")
        ->type_name("WxH")
        ->capture_default_str();
    app.add_option("--select", raw.select,
                   "Select the first slice whose name contains TEXT; with --job the first answer")
        ->type_name("TEXT");
    app.add_option("--find", raw.find,
                   "Search for slices whose names contain TEXT; /TEXT/ is a regular expression")
        ->type_name("TEXT");
    app.add_flag("--record", raw.record,
                 "Record a program and show it while it runs: kinetoscope --record -- PROGRAM "
                 "[ARGUMENTS]; the exit code is the program's");
    app.add_option("--theme", raw.theme, "light, dark or system")->type_name("NAME");
}

/// Lines of the help that are longer than a terminal continue below their description.
QString wrapped(const std::string& help) {
    constexpr qsizetype kWidest = 100;
    constexpr int kDescription = 30;  // the column where CLI11 puts it
    QStringList lines;
    for (QString line : QString::fromStdString(help).split(QLatin1Char('\n'))) {
        while (line.size() > kWidest) {
            const qsizetype end = line.lastIndexOf(QLatin1Char(' '), kWidest);
            if (end <= kDescription) {
                break;
            }
            lines.append(line.left(end));
            line = QString(kDescription, QLatin1Char(' ')) + line.mid(end + 1);
        }
        lines.append(line);
    }
    return lines.join(QLatin1Char('\n'));
}

EarlyExit wrong(const QString& what) {
    return {2, QStringLiteral("kinetoscope: %1; see kinetoscope --help").arg(what)};
}

std::optional<QSize> parseSize(const std::string& text) {
    static const QRegularExpression form(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    const auto match = form.match(QString::fromStdString(text));
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    const bool sensible = size.width() >= kMin && size.width() <= kMax && size.height() >= kMin &&
                          size.height() <= kMax;
    return match.hasMatch() && sensible ? std::optional(size) : std::nullopt;
}

// The views of a memory snapshot that can be drawn alone.
bool isSnapshotPart(const QString& name) {
    return name == QLatin1String("blocks") || name == QLatin1String("segments");
}

// The views of a job that can be drawn alone.
bool isJobPart(const QString& name) {
    return name == QLatin1String("matrix") || name == QLatin1String("timeline") ||
           name == QLatin1String("tables");
}

bool isPanel(const QString& name) {
    const auto panels = panelTable();
    return name == QLatin1String("timeline") || name == QLatin1String("timelines") ||
           isSnapshotPart(name) ||
           std::any_of(panels.begin(), panels.end(),
                       [&](const panels::PanelEntry& e) { return name == QLatin1String(e.id); });
}

// One that is named twice is opened once.
qsizetype differentFiles(const QStringList& files) {
    QSet<QString> paths;
    for (const QString& file : files) {
        paths.insert(QFileInfo(file).absoluteFilePath());
    }
    return paths.size();
}

std::variant<CommandLine, EarlyExit> check(const RawOptions& raw) {
    static const std::map<std::string, style::ThemeChoice> themes{
        {"system", style::ThemeChoice::System},
        {"light", style::ThemeChoice::Light},
        {"dark", style::ThemeChoice::Dark}};
    CommandLine line;
    for (const std::string& file : raw.files) {
        const QByteArray word = QByteArray::fromStdString(file);
        line.files.append(QFile::decodeName(word));
        if (raw.record && QFile::encodeName(line.files.back()) != word) {
            return wrong(QStringLiteral("--record %1: not UTF-8; record it with kscope record")
                             .arg(line.files.back()));
        }
    }
    line.screenshot = QFile::decodeName(QByteArray::fromStdString(raw.screenshot));
    line.panel = QString::fromStdString(raw.panel);
    line.select = QString::fromStdString(raw.select);
    line.find = QString::fromStdString(raw.find);
    line.job = raw.job;
    if (line.job && line.files.isEmpty()) {
        return wrong(QStringLiteral("--job needs the files of a job, or a folder of them"));
    }
    if (line.job && (raw.compare || raw.record)) {
        return wrong(QStringLiteral("--job cannot be combined with --compare or --record"));
    }
    if (line.job && !line.panel.isEmpty() && !isJobPart(line.panel)) {
        return wrong(
            QStringLiteral(
                "--panel %1: not a panel of a job; the panels are matrix, timeline and tables")
                .arg(line.panel));
    }
    if (!line.job && !line.panel.isEmpty() && !isPanel(line.panel)) {
        return wrong(QStringLiteral("--panel %1: no such panel; the panels are %2")
                         .arg(line.panel, panelNames()));
    }
    line.record = raw.record;
    if (line.record && line.files.isEmpty()) {
        return wrong(QStringLiteral("--record needs a program: --record -- PROGRAM [ARGUMENTS]"));
    }
    if (line.record && !line.screenshot.isEmpty()) {
        return wrong(QStringLiteral("--record cannot be combined with --screenshot"));
    }
    if (!line.panel.isEmpty() && line.screenshot.isEmpty()) {
        return wrong(QStringLiteral("--panel needs --screenshot"));
    }
    line.compare = raw.compare;
    if (line.compare && differentFiles(line.files) < 2) {
        return wrong(QStringLiteral("--compare needs a baseline and at least one other FILE"));
    }
    if (!line.screenshot.isEmpty() && !line.compare && !line.job && line.files.size() != 1) {
        return wrong(QStringLiteral("--screenshot needs exactly one FILE, --compare or --job"));
    }
    const auto size = parseSize(raw.size);
    if (!size) {
        return wrong(
            QStringLiteral("--size %1: not WIDTHxHEIGHT, like 1600x1000, each from %2 to %3")
                .arg(QString::fromStdString(raw.size))
                .arg(kMin)
                .arg(kMax));
    }
    line.size = *size;
    line.themeGiven = !raw.theme.empty();
    if (line.themeGiven) {
        const auto theme = themes.find(raw.theme);
        if (theme == themes.end()) {
            return wrong(
                QStringLiteral("--theme %1: no such theme; the themes are light, dark and system")
                    .arg(QString::fromStdString(raw.theme)));
        }
        line.theme = theme->second;
    }
    return line;
}

}  // namespace

std::variant<CommandLine, EarlyExit> parseCommandLine(int argc, const char* const* argv) {
    CLI::App app("Viewer for GPU traces: PyTorch profiler and other formats.", "kinetoscope");
    RawOptions raw;
    declare(app, raw);
    // What stands behind "--" is as it is, whatever it looks like; CLI11 takes words from behind.
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const auto divider = std::ranges::find(words, "--");
    std::vector<std::string> options(words.begin(), divider);
    std::ranges::reverse(options);
    try {
        app.parse(std::move(options));
    } catch (const CLI::CallForHelp&) {
        return EarlyExit{0, wrapped(app.help())};
    } catch (const CLI::CallForVersion& version) {
        return EarlyExit{0, QString::fromLatin1(version.what()) + QLatin1Char('\n')};
    } catch (const CLI::ParseError& error) {
        return wrong(QString::fromUtf8(error.what()).simplified());
    }
    raw.files.insert(raw.files.end(), divider == words.end() ? divider : divider + 1, words.end());
    return check(raw);
}

QString programVersion() {
    return QStringLiteral(KINETOSCOPE_VERSION);
}

}  // namespace kinetoscope::app
