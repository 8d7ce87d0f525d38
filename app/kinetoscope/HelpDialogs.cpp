// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/HelpDialogs.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <array>

#include "app/kinetoscope/Actions.h"
#include "app/kinetoscope/CommandLine.h"
#include "widgets/plots/Picture.h"
#include "widgets/session/programs/KscopeProcess.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::app {

namespace {

constexpr int kAboutIcon = 72;

struct Gesture {
    const char* keys;
    const char* does;
};

// The timeline's own gestures; the menus' shortcuts come from their table.
constexpr std::array kGestures{
    Gesture{"Wheel, W, S", "zoom in and out at the pointer"},
    Gesture{"Drag, A, D", "move through time"},
    Gesture{"Shift + wheel, Page Up, Page Down", "scroll the rows"},
    Gesture{"Drag on the time axis", "select time: figures and tables cover only this time"},
    Gesture{"Shift + drag", "select time and rows"},
    Gesture{"Drag an edge", "change the selected time"},
    Gesture{"Click", "select a slice; on a group's label: fold it"},
    Gesture{"Double click, F", "fit the slice, else the selected time, else the whole trace"},
    Gesture{"Left, Right, comma, full stop", "previous, next slice in the row"},
    Gesture{"Up, Down", "parent, child slice; then the row above, below"},
    Gesture{"Drag in the overview", "move the visible range, or its edges"},
    Gesture{"Home, End", "start, end of the trace"},
    Gesture{"Right click, menu key", "context menu of a slice, a row, the timeline"},
    Gesture{"Drag a label", "move the row or its group"},
    Gesture{"/", "filter rows by name"},
    Gesture{"Escape", "clear the selection; again: clear the selected time"},
    Gesture{"Mouse buttons Back, Forward", "back, forward"},
};

QString row(const QString& keys, const QString& does) {
    return QStringLiteral(
               "<tr><td style='padding:2px 18px 2px 0'><b>%1</b></td>"
               "<td style='padding:2px 0'>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), does.toHtmlEscaped());
}

QString plainText(const QString& menuText) {
    return QString(menuText).remove(QLatin1Char('&')).remove(QChar(0x2026));
}

QLabel* makeTable(const QString& title, const QString& rows) {
    auto* label =
        new QLabel(QStringLiteral("<h3>%1</h3><table>%2</table>").arg(title.toHtmlEscaped(), rows));
    label->setTextFormat(Qt::RichText);
    label->setAlignment(Qt::AlignTop);
    return label;
}

void showDialog(QDialog* dialog, QVBoxLayout* column) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

/// The output of `kscope about`, which opens the driver and CUPTI; this process never does.
QWidget* makeAvailable(QDialog& dialog) {
    auto* text = new QPlainTextEdit;
    text->setObjectName(QStringLiteral("available"));
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setPlaceholderText(QObject::tr("looking…"));
    auto* worker = new session::KscopeProcess(&dialog);
    QObject::connect(worker, &session::KscopeProcess::lineRead, text,
                     [text](const QByteArray& line) {
                         text->appendPlainText(QString::fromUtf8(line).remove(QLatin1Char('\n')));
                     });
    QObject::connect(worker, &session::KscopeProcess::finished, text, [text](const QString& error) {
        if (!error.isEmpty()) {
            text->appendPlainText(error);
        }
        text->moveCursor(QTextCursor::Start);
    });
    worker->start({QStringLiteral("about")});
    return text;
}

}  // namespace

void showKeysDialog(QWidget& parent, const QList<QAction*>& panelActions) {
    auto* dialog = new QDialog(&parent);
    dialog->setObjectName(QStringLiteral("keysDialog"));
    dialog->setWindowTitle(QObject::tr("Keys and gestures"));
    QString gestures;
    for (const Gesture& gesture : kGestures) {
        gestures += row(QObject::tr(gesture.keys), QObject::tr(gesture.does));
    }
    QString shortcuts;
    for (const ActionEntry& entry : actionTable()) {
        const QKeySequence keys(QString::fromLatin1(entry.shortcut));
        if (!keys.isEmpty()) {
            shortcuts +=
                row(keys.toString(QKeySequence::NativeText), plainText(QObject::tr(entry.text)));
        }
    }
    QString panels;
    for (const QAction* action : panelActions) {
        panels += row(action->shortcut().toString(QKeySequence::NativeText),
                      QObject::tr("Show %1").arg(action->text()));
    }
    auto* column = new QVBoxLayout(dialog);
    auto* tables = new QHBoxLayout;
    tables->setSpacing(36);
    tables->addWidget(makeTable(QObject::tr("Timeline"), gestures));
    tables->addWidget(makeTable(QObject::tr("Everywhere"), shortcuts));
    tables->addWidget(makeTable(QObject::tr("Panels"), panels));
    column->addLayout(tables);
    showDialog(dialog, column);
}

void showAboutDialog(QWidget& parent) {
    auto* dialog = new QDialog(&parent);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setWindowTitle(QObject::tr("About Kinetoscope"));
    auto* column = new QVBoxLayout(dialog);
    auto* row = new QHBoxLayout;
    row->setSpacing(20);
    auto* icon = new QLabel;
    icon->setPixmap(
        style::applicationIcon().pixmap(QSize(kAboutIcon, kAboutIcon), parent.devicePixelRatioF()));
    icon->setAlignment(Qt::AlignTop);
    row->addWidget(icon);
    auto* text = new QLabel(
        QObject::tr("<h2>Kinetoscope %1</h2>"
                    "<p>Opens traces of GPU work, of any size, by PyTorch, Nsight Systems, JAX, "
                    "Perfetto and ROCm, and says how busy the GPU was, with what, and why it "
                    "waited.</p>"
                    "<p>The Kinetoscope was the first film viewer; Kineto is the tracer whose "
                    "films this one shows.</p>"
                    "<p>This window is free software under the GNU General Public License, "
                    "version 3 or later. What reads and analyses traces is under the Apache "
                    "License 2.0. There is no warranty.</p>"
                    "<p>With Qt %2 (LGPL-3.0), QCustomPlot %3 (GPL-3.0), nlohmann/json, {fmt}, "
                    "CLI11, RE2, PCRE2, SQLite, protozero, utf8proc, ISA-L, zlib and zstd.</p>")
            .arg(programVersion(), QString::fromLatin1(qVersion()), plots::plotLibraryVersion()));
    text->setWordWrap(true);
    text->setMinimumWidth(460);
    row->addWidget(text, 1);
    column->addLayout(row);
    column->addWidget(new QLabel(QObject::tr("Available on this machine:")));
    column->addWidget(makeAvailable(*dialog), 1);
    dialog->resize(680, 620);
    showDialog(dialog, column);
}

}  // namespace kinetoscope::app
