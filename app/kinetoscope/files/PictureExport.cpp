// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/files/PictureExport.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QPixmap>
#include <QPointer>
#include <QRegularExpression>

#include "app/kinetoscope/files/WriteFile.h"
#include "widgets/plots/Picture.h"
#include "widgets/style/Icons.h"

namespace kinetoscope::app {

namespace {

constexpr const char* kTitle = "pictureTitle";

// "PNG (*.png)" is of files that end in "png".
QString suffixOf(const QString& filter) {
    static const QRegularExpression form(QStringLiteral("\\(\\*\\.([^ )]+)"));
    return form.match(filter).captured(1);
}

// A name for a file system, of a title that may be anything.
QString fileName(const QString& title) {
    static const QRegularExpression unsafe(QStringLiteral("[^\\w.-]+"),
                                           QRegularExpression::UseUnicodePropertiesOption);
    const QString name = QString(title).replace(unsafe, QStringLiteral("-")).left(60).toLower();
    return name.isEmpty() ? QStringLiteral("kinetoscope") : name;
}

}  // namespace

QString askWhereToSave(QWidget& parent, const QString& title, const QString& proposed,
                       const QStringList& filters) {
    QFileDialog dialog(&parent, title, QFileInfo(proposed).path());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    dialog.setNameFilters(filters);
    dialog.selectFile(QFileInfo(proposed).fileName());
    const auto follow = [&dialog](const QString& filter) {
        dialog.setDefaultSuffix(suffixOf(filter));
    };
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, follow);
    follow(filters.front());
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) {
        return {};
    }
    QString path = dialog.selectedFiles().constFirst();
    for (const QString& filter : filters) {
        if (path.endsWith(QLatin1Char('.') + suffixOf(filter), Qt::CaseInsensitive)) {
            return path;
        }
    }
    // A device or pipe keeps its name, whatever is written to it.
    const QFileInfo there(path);
    return there.exists() && !there.isFile()
               ? path
               : path + QLatin1Char('.') + suffixOf(dialog.selectedNameFilter());
}

QString writePicture(const QString& path, QWidget& widget, const QString& title) {
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        return writeFile(path, plots::svgOf(widget, title));
    }
    return writePng(path, widget.grab().toImage());
}

PictureExport::PictureExport(QWidget& window, const session::Settings& settings, Complain complain)
    : m_window(window), m_settings(settings), m_complain(std::move(complain)) {}

void PictureExport::save(QWidget& part, const QString& title) {
    // A file may be opened or closed while the dialog asks.
    const QPointer<QWidget> still(&part);
    const QString path = askWhereToSave(
        m_window, tr("Save image of %1").arg(title),
        m_settings.lastFolder.value() + QLatin1Char('/') + fileName(title) + QLatin1String(".png"),
        {tr("PNG (*.png)"), tr("SVG (*.svg)")});
    if (path.isEmpty() || still.isNull()) {
        return;
    }
    const OpenPipe pipe(path);
    const QString error =
        !pipe.problem().isEmpty() ? pipe.problem() : writePicture(path, part, title);
    if (!error.isEmpty()) {
        m_complain(error);
    }
}

QList<QAction*> PictureExport::actionsFor(QWidget& plot, const QString& title, QObject& owner) {
    const QPointer<QWidget> still(&plot);
    auto* write =
        new QAction(style::themedIcon(QStringLiteral("picture")), tr("Save image…"), &owner);
    auto* copy = new QAction(style::themedIcon(QStringLiteral("copy")), tr("Copy image"), &owner);
    write->setObjectName(QStringLiteral("savePlot"));
    copy->setObjectName(QStringLiteral("copyPlot"));
    connect(write, &QAction::triggered, this, [this, still, title] {
        if (still) {
            save(*still, title);
        }
    });
    connect(copy, &QAction::triggered, this, [still] {
        if (still) {
            QGuiApplication::clipboard()->setPixmap(still->grab());
        }
    });
    return {write, copy};
}

void PictureExport::offerFor(QWidget& part, const QString& title) {
    part.addActions(actionsFor(part, title, part));
}

void PictureExport::offerIn(QWidget& place, const QString& title) {
    place.setProperty(kTitle, title);
    place.installEventFilter(this);
}

bool PictureExport::eventFilter(QObject* watched, QEvent* event) {
    auto* place = qobject_cast<QWidget*>(watched);
    if (event->type() != QEvent::ContextMenu || place == nullptr) {
        return QObject::eventFilter(watched, event);
    }
    const auto* request = static_cast<QContextMenuEvent*>(event);
    const QPointer<QWidget> plot = plots::plotAt(*place, request->pos());
    if (plot.isNull()) {
        return QObject::eventFilter(watched, event);
    }
    QMenu menu(&m_window);
    menu.addActions(actionsFor(*plot, place->property(kTitle).toString(), menu));
    menu.exec(request->globalPos());
    event->accept();
    return true;
}

}  // namespace kinetoscope::app
