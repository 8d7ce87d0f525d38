// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <cstdint>

#include "widgets/models/ColumnTableModel.h"

namespace kinetoscope::job {

class AnswerList;

/// A page of the window about one job: the window's interface to it, whatever it was read from.
class JobPage : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The page's part of a session; only the page knows what the values mean.
    struct Choices {
        QString figure;
        std::uint64_t order = 0;
        std::uint64_t groups = 0;
    };
    [[nodiscard]] virtual Choices choices() const = 0;
    virtual void setChoices(const Choices& choices) = 0;

    /// What can be drawn alone, by its name; null for another one.
    [[nodiscard]] virtual QWidget* part(const QString& name) const = 0;
    /// The table in front, with its title.
    [[nodiscard]] virtual const models::ColumnTableModel* tableInFront(QString* title) const = 0;
    /// What was read and what is missing, one line each.
    [[nodiscard]] virtual QStringList summary() const = 0;
    /// What could not be used of the files and why, in a line each.
    [[nodiscard]] virtual QStringList lost() const = 0;
    [[nodiscard]] virtual bool busy() const { return false; }
    /// Goes to the first answer that contains the text; false: there is none.
    virtual bool selectAnswer(const QString& text);
    virtual void fit() = 0;
    /// About the middle of what is shown; below 1 shows less.
    virtual void zoom(double factor) = 0;

signals:
    void failed(const QString& why);
    /// Somebody wants to see a rank's own trace; times on its own clock.
    void rankRequested(const QString& path, qint64 start, qint64 end);
    /// Somebody wants to see that panel of the trace that comes in front next.
    void panelRequested(const QString& id);

protected:
    [[nodiscard]] virtual std::size_t answers() const { return 0; }
    [[nodiscard]] virtual QString answerText(std::size_t /*answer*/) const { return {}; }
    virtual void goToAnswer(std::size_t /*answer*/) {}

    /// What pages of several parts are made of; the sizes are those at first.
    struct Parts {
        QWidget* bar;
        QWidget* picture;
        QWidget* answers;
        QWidget* words;
        QWidget* tables;
        int wordsWidth;
        int answersHeight;
    };
    /// The bar, below it the picture with answers and words beside it, and the tables.
    void layOut(const Parts& parts);
    /// A bar of these, with the summary below them.
    [[nodiscard]] QWidget* makeBar(const QList<QWidget*>& widgets) const;
    /// The list of the answers; a click goes to one.
    [[nodiscard]] AnswerList* makeAnswers(const QString& none, const QString& whatsThis);
};

}  // namespace kinetoscope::job
