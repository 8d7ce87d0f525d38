// SPDX-License-Identifier: Apache-2.0
#include "core/bench/operators/ValueRanges.h"

#include <algorithm>
#include <array>
#include <optional>

namespace kinetoscope::bench::operators {

namespace {

// Which arguments of an operator are indices, and which ones bound them.
struct IndexRule {
    enum class Bound : std::uint8_t {
        DimArgument,  ///< size of tensor `of` along the dimension that argument `by` names
        DimNumber,    ///< size of tensor `of` along dimension `by`
        Classes,      ///< size of tensor `of` along dimension 1, or 0 when it is its only one
        Items,        ///< of the list: size of tensor `of` along the item's dimension
        Plane,        ///< product of the last `by` sizes of tensor `of`
        Elements,     ///< elements of tensor `of`
        Argument,     ///< value of argument `of`
        Smallest,     ///< smallest number of the list `of`
        Product,      ///< product of the numbers of the list `of`
    };
    std::string_view name;  ///< base name; a trailing underscore is ignored
    std::size_t argument;
    Bound bound;
    std::size_t of;
    std::size_t by;
};

using Bound = IndexRule::Bound;

constexpr std::array kIndexRules{
    IndexRule{"gather", 2, Bound::DimArgument, 0, 1},
    IndexRule{"gather_backward", 3, Bound::DimArgument, 1, 2},
    IndexRule{"index_select", 2, Bound::DimArgument, 0, 1},
    IndexRule{"index_add", 2, Bound::DimArgument, 0, 1},
    IndexRule{"index_copy", 2, Bound::DimArgument, 0, 1},
    IndexRule{"index_fill", 2, Bound::DimArgument, 0, 1},
    IndexRule{"index_reduce", 2, Bound::DimArgument, 0, 1},
    IndexRule{"scatter", 2, Bound::DimArgument, 0, 1},
    IndexRule{"scatter_add", 2, Bound::DimArgument, 0, 1},
    IndexRule{"scatter_reduce", 2, Bound::DimArgument, 0, 1},
    IndexRule{"take_along_dim", 1, Bound::DimArgument, 0, 2},
    IndexRule{"index", 1, Bound::Items, 0, 0},
    IndexRule{"index_put", 1, Bound::Items, 0, 0},
    IndexRule{"_unsafe_index", 1, Bound::Items, 0, 0},
    IndexRule{"_unsafe_index_put", 1, Bound::Items, 0, 0},
    IndexRule{"_index_put_impl", 1, Bound::Items, 0, 0},
    IndexRule{"take", 1, Bound::Elements, 0, 0},
    IndexRule{"put", 1, Bound::Elements, 0, 0},
    IndexRule{"embedding", 1, Bound::DimNumber, 0, 0},
    IndexRule{"embedding_renorm", 1, Bound::DimNumber, 0, 0},
    IndexRule{"embedding_bag", 1, Bound::DimNumber, 0, 0},
    IndexRule{"_embedding_bag", 1, Bound::DimNumber, 0, 0},
    IndexRule{"_embedding_bag_forward_only", 1, Bound::DimNumber, 0, 0},
    IndexRule{"embedding_dense_backward", 1, Bound::Argument, 2, 0},
    IndexRule{"embedding_backward", 1, Bound::Argument, 2, 0},
    IndexRule{"nll_loss", 1, Bound::Classes, 0, 0},
    IndexRule{"nll_loss_nd", 1, Bound::Classes, 0, 0},
    IndexRule{"nll_loss_forward", 1, Bound::Classes, 0, 0},
    IndexRule{"nll_loss2d_forward", 1, Bound::Classes, 0, 0},
    IndexRule{"nll_loss_backward", 2, Bound::Classes, 1, 0},
    IndexRule{"nll_loss2d_backward", 2, Bound::Classes, 1, 0},
    IndexRule{"cross_entropy_loss", 1, Bound::Classes, 0, 0},
    IndexRule{"multi_margin_loss", 1, Bound::Classes, 0, 0},
    IndexRule{"max_pool2d_with_indices_backward", 7, Bound::Plane, 1, 2},
    IndexRule{"max_pool3d_with_indices_backward", 7, Bound::Plane, 1, 3},
    IndexRule{"adaptive_max_pool2d_backward", 2, Bound::Plane, 1, 2},
    IndexRule{"adaptive_max_pool3d_backward", 2, Bound::Plane, 1, 3},
    IndexRule{"max_unpool2d", 1, Bound::Product, 2, 0},
    IndexRule{"max_unpool3d", 1, Bound::Product, 2, 0},
    IndexRule{"_sparse_coo_tensor_with_dims_and_tensors", 3, Bound::Smallest, 2, 0},
};

// Arguments that are probabilities, by operator and position.
struct PlainRule {
    std::string_view name;
    std::size_t argument;
};

constexpr std::array kProbabilities{
    PlainRule{"bernoulli", 0},
    PlainRule{"multinomial", 0},
    PlainRule{"binary_cross_entropy", 0},
    PlainRule{"binary_cross_entropy", 1},
    PlainRule{"binary_cross_entropy_backward", 1},
    PlainRule{"binary_cross_entropy_backward", 2},
    PlainRule{"binomial", 1},
};

constexpr std::array kDivisors{
    PlainRule{"div", 1},  PlainRule{"floor_divide", 1}, PlainRule{"remainder", 1},
    PlainRule{"fmod", 1}, PlainRule{"true_divide", 1},
};

constexpr std::array kCounts{
    PlainRule{"repeat_interleave", 0}, PlainRule{"repeat_interleave", 1}, PlainRule{"bincount", 0},
    PlainRule{"one_hot", 0},           PlainRule{"poisson", 0},
};

template <std::size_t N>
bool listed(const std::array<PlainRule, N>& rules, std::string_view name, std::size_t argument) {
    return std::any_of(rules.begin(), rules.end(), [&](const PlainRule& rule) {
        return rule.name == name && rule.argument == argument;
    });
}

template <class T>
const T* argumentAs(const OperatorCall& call, std::size_t index) {
    return index < call.args.size() ? std::get_if<T>(&call.args[index].data) : nullptr;
}

std::optional<std::int64_t> sizeAlong(const TensorInput* tensor, std::int64_t dimension) {
    if (tensor == nullptr) {
        return std::nullopt;
    }
    const auto rank = static_cast<std::int64_t>(tensor->shape.size());
    const std::int64_t at = dimension < 0 ? dimension + rank : dimension;
    if (at < 0 || at >= rank) {
        return rank == 0 ? std::optional<std::int64_t>(1) : std::nullopt;
    }
    return tensor->shape[static_cast<std::size_t>(at)];
}

std::optional<std::int64_t> plane(const TensorInput* tensor, std::size_t sizes) {
    if (tensor == nullptr || tensor->shape.size() < sizes) {
        return std::nullopt;
    }
    std::int64_t product = 1;
    for (std::size_t i = tensor->shape.size() - sizes; i < tensor->shape.size(); ++i) {
        product *= tensor->shape[i];
    }
    return product;
}

std::optional<std::int64_t> ofNumbers(const InputList* list, bool product) {
    std::optional<std::int64_t> found;
    for (const InputValue& item : list != nullptr ? list->items : std::vector<InputValue>()) {
        if (const auto* number = std::get_if<std::int64_t>(&item.data)) {
            found = !found ? *number : product ? *found * *number : std::min(*found, *number);
        }
    }
    return found;
}

// A mask in front takes as many dimensions as it has.
std::int64_t dimensionOfItem(const OperatorCall& call, std::size_t argument, std::size_t item) {
    std::int64_t dimension = 0;
    const auto* list = argumentAs<InputList>(call, argument);
    for (std::size_t i = 0; list != nullptr && i < std::min(item, list->items.size()); ++i) {
        const auto* before = std::get_if<TensorInput>(&list->items[i].data);
        const bool mask = before != nullptr && (before->type == InputType::B8);
        dimension += mask ? static_cast<std::int64_t>(before->shape.size()) : 1;
    }
    return dimension;
}

std::optional<std::int64_t> boundOf(const IndexRule& rule, const OperatorCall& call,
                                    std::size_t item) {
    const auto* tensor = argumentAs<TensorInput>(call, rule.of);
    switch (rule.bound) {
        case Bound::DimArgument: {
            const auto* dimension = argumentAs<std::int64_t>(call, rule.by);
            return dimension != nullptr ? sizeAlong(tensor, *dimension) : std::nullopt;
        }
        case Bound::DimNumber:
            return sizeAlong(tensor, static_cast<std::int64_t>(rule.by));
        case Bound::Classes:
            return sizeAlong(tensor, tensor != nullptr && tensor->shape.size() > 1 ? 1 : 0);
        case Bound::Items:
            return sizeAlong(tensor, dimensionOfItem(call, rule.argument, item));
        case Bound::Plane:
            return plane(tensor, rule.by);
        case Bound::Elements:
            return tensor != nullptr ? std::optional(tensor->elements()) : std::nullopt;
        case Bound::Argument: {
            const auto* number = argumentAs<std::int64_t>(call, rule.of);
            return number != nullptr ? std::optional(*number) : std::nullopt;
        }
        case Bound::Smallest:
            return ofNumbers(argumentAs<InputList>(call, rule.of), false);
        case Bound::Product:
            return ofNumbers(argumentAs<InputList>(call, rule.of), true);
    }
    return std::nullopt;
}

constexpr double kMax = 9.0;  // as PyTorch's make_tensor

// Offsets and lengths of sequences, which have an order.
std::optional<ValueRange> orderedRange(std::string_view name, const OperatorCall& call,
                                       std::size_t argument) {
    if ((name == "_embedding_bag" || name == "_embedding_bag_forward_only" ||
         name == "embedding_bag") &&
        argument == 2) {
        const auto* indices = argumentAs<TensorInput>(call, 1);
        const double most = indices != nullptr ? static_cast<double>(indices->elements()) : 0.0;
        return ValueRange{ValueRange::Kind::Ascending, 0.0, most};
    }
    if (name == "_pack_padded_sequence" && argument == 1) {
        const auto* first = argumentAs<bool>(call, 2);
        const auto longest = sizeAlong(argumentAs<TensorInput>(call, 0), first && *first ? 1 : 0);
        return ValueRange{ValueRange::Kind::Descending, 1.0,
                          static_cast<double>(longest.value_or(1))};
    }
    return std::nullopt;
}

}  // namespace

std::string_view baseName(std::string_view operatorName) {
    const std::size_t first = operatorName.find('.');
    const std::size_t start = first == std::string_view::npos ? 0 : first + 1;
    return operatorName.substr(start, operatorName.find('.', start) - start);
}

ValueRange valueRange(std::string_view operatorName, const OperatorCall& call, std::size_t argument,
                      std::size_t item, const TensorInput& tensor) {
    std::string_view name = baseName(operatorName);
    if (name.ends_with('_') && !name.ends_with("__")) {
        name.remove_suffix(1);
    }
    if (const auto ordered = orderedRange(name, call, argument)) {
        return *ordered;
    }
    if (listed(kProbabilities, name, argument)) {
        return {ValueRange::Kind::Uniform, 0.0, 1.0};
    }
    if (isFloating(tensor.type)) {
        return {ValueRange::Kind::Uniform, -kMax, kMax};
    }
    if (tensor.type == InputType::B8) {
        return {ValueRange::Kind::Uniform, 0.0, 2.0};
    }
    for (const IndexRule& rule : kIndexRules) {
        if (rule.name == name && rule.argument == argument) {
            const double most = static_cast<double>(boundOf(rule, call, item).value_or(1));
            return {ValueRange::Kind::Uniform, 0.0, std::max(most, 1.0)};
        }
    }
    if (listed(kDivisors, name, argument)) {
        return {ValueRange::Kind::Uniform, 1.0, kMax + 1.0};
    }
    if (tensor.type == InputType::U8 || listed(kCounts, name, argument)) {
        return {ValueRange::Kind::Uniform, 0.0, kMax + 1.0};
    }
    return {ValueRange::Kind::Uniform, -kMax, kMax + 1.0};
}

}  // namespace kinetoscope::bench::operators
