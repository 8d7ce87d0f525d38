// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/memory/MemoryChoices.h"

#include <QComboBox>

#include "widgets/panels/memory/BlockMap.h"
#include "widgets/panels/memory/MemoryTables.h"

namespace kinetoscope::panels {

QComboBox* makeGroupChoice(MemoryTables& tables) {
    auto* choice = new QComboBox;
    choice->setObjectName(QStringLiteral("by"));
    // In the order of GroupBy.
    choice->addItems({QObject::tr("Place"), QObject::tr("Operator"), QObject::tr("Stack"),
                      QObject::tr("Purpose")});
    choice->setToolTip(QObject::tr("How live blocks are grouped"));
    QObject::connect(choice, &QComboBox::currentIndexChanged, &tables, [&tables](int index) {
        tables.setGroupBy(static_cast<memory::GroupBy>(index));
    });
    return choice;
}

QComboBox* makeColorChoice(BlockMap& map) {
    auto* choice = new QComboBox;
    choice->setObjectName(QStringLiteral("colors"));
    // In the order of BlockMap::Colors.
    choice->addItems({QObject::tr("Place"), QObject::tr("Purpose")});
    choice->setToolTip(QObject::tr("What colours the blocks"));
    QObject::connect(choice, &QComboBox::currentIndexChanged, &map,
                     [&map](int index) { map.setColors(static_cast<BlockMap::Colors>(index)); });
    return choice;
}

}  // namespace kinetoscope::panels
