// SPDX-License-Identifier: Apache-2.0
#include "core/bench/torch/Implementations.h"

#include "core/bench/torch/Tensors.h"

namespace kinetoscope::bench::libtorch {

namespace {

// Builds the graph; its inputs are the tensors of the stack in the order of tensorsOf().
class ScriptBuilder {
public:
    [[nodiscard]] std::shared_ptr<torch::jit::Graph> build(const c10::OperatorHandle& op,
                                                           const torch::jit::Stack& stack) {
        std::vector<torch::jit::Value*> values;
        for (std::size_t i = 0; i < stack.size(); ++i) {
            values.push_back(argument(stack[i], op.schema().arguments()[i].type()));
        }
        const auto& returns = op.schema().returns();
        auto* node = m_graph->create(c10::Symbol::fromQualString(op.schema().name()), values,
                                     returns.size());
        m_graph->insertNode(node);
        for (std::size_t i = 0; i < returns.size(); ++i) {
            node->output(i)->setType(returns[i].type());
        }
        TORCH_CHECK(node->maybeOperator() != nullptr, "TorchScript has no such operator");
        m_graph->registerOutput(result(node));
        return m_graph;
    }

private:
    // A function gives exactly one value.
    torch::jit::Value* result(torch::jit::Node* node) {
        if (node->outputs().size() == 1) {
            return node->output();
        }
        if (node->outputs().empty()) {
            return m_graph->insertConstant(c10::IValue());
        }
        return m_graph->insertNode(m_graph->createTuple(node->outputs()))->output();
    }

    torch::jit::Value* argument(const c10::IValue& value, const c10::TypePtr& type) {
        if (value.isTensor()) {
            return m_graph->addInput()->setType(c10::TensorType::get());
        }
        const bool tensors = type->kind() == c10::TypeKind::ListType &&
                             (type->containedType(0)->kind() == c10::TypeKind::TensorType ||
                              type->containedType(0)->kind() == c10::TypeKind::OptionalType);
        if (!tensors) {
            return m_graph->insertConstant(value);
        }
        std::vector<torch::jit::Value*> items;
        for (const c10::IValue& item : value.toListRef()) {
            items.push_back(argument(item, type->containedType(0)));
        }
        return m_graph->insertNode(m_graph->createList(type->containedType(0), items))->output();
    }

    std::shared_ptr<torch::jit::Graph> m_graph = std::make_shared<torch::jit::Graph>();
};

void keepTensors(torch::jit::Stack& stack) {
    torch::jit::Stack tensors;
    for (at::Tensor& tensor : tensorsOf(stack)) {
        tensors.emplace_back(std::move(tensor));
    }
    stack = std::move(tensors);
}

// Numbers that stand for tensors, and None, are constants of a package.
[[maybe_unused]] std::vector<at::Tensor> givenTensors(const torch::jit::Stack& stack) {
    std::vector<at::Tensor> tensors = tensorsOf(stack);
    std::erase_if(tensors, [](const at::Tensor& tensor) {
        return !tensor.defined() || tensor.unsafeGetTensorImpl()->is_wrapped_number();
    });
    return tensors;
}

}  // namespace

Implementation eagerImplementation(const c10::OperatorHandle& op) {
    return {"eager", [op](torch::jit::Stack& stack) { op.callBoxed(&stack); }, {}};
}

Implementation scriptImplementation(const c10::OperatorHandle& op, const torch::jit::Stack& stack,
                                    const std::string& name) {
    Implementation made{name, {}, {}};
    made.reason = errorOf([&] {
        auto unit = std::make_shared<torch::jit::CompilationUnit>();
        torch::jit::Function* function =
            unit->create_function(c10::QualifiedName("measured"), ScriptBuilder().build(op, stack));
        made.run = [unit, function](torch::jit::Stack& values) {
            keepTensors(values);
            function->run(values);
        };
    });
    return made;
}

Implementation packageImplementation(const std::string& path, const std::string& reason) {
    Implementation made{"inductor", {}, reason};
    if (path.empty()) {
        return made;
    }
#ifdef KINETOSCOPE_TORCH_PACKAGES
    made.reason = errorOf([&] {
        auto package = openPackage(path);
        made.run = [package](torch::jit::Stack& values) {
            std::vector<at::Tensor> results = package->run(givenTensors(values));
            values.clear();
            for (at::Tensor& result : results) {
                values.emplace_back(std::move(result));
            }
        };
    });
#else
    made.reason = "PyTorch " TORCH_VERSION " opens no AOTInductor packages; 2.6 and later do";
#endif
    return made;
}

}  // namespace kinetoscope::bench::libtorch
