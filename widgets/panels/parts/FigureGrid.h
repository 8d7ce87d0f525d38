// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QGridLayout>
#include <QString>
#include <QWidget>

namespace kinetoscope::panels {

/// Lines of "swatch, name, value, share" with a definition as tool tip.
class FigureGrid final : public QWidget {
    Q_OBJECT

public:
    struct Line {
        QString name;
        QString value;
        QString share = {};    ///< may be empty
        QString toolTip = {};  ///< rich text
        QColor swatch = {};    ///< invalid: none
        bool total = false;    ///< set apart by a rule above
    };

    explicit FigureGrid(QWidget* parent = nullptr);
    void addLine(const Line& line);

private:
    QGridLayout* m_grid;
    int m_rows = 0;
};

/// Heading of a section: a title and, at the right, what it is measured over.
[[nodiscard]] QWidget* makeHeading(const QString& title, const QString& aside,
                                   const QString& toolTip = QString());

}  // namespace kinetoscope::panels
