/**
 * Writes ONNX models of a few kilobytes in the protocol buffers of `onnx.proto`
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), whose field numbers stand here.
 */

type Field = [number: number, value: number | string | Uint8Array]

/** A protocol buffer: integers as varints, everything else with its length. */
const message = (fields: Field[]): Buffer =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8), varint(value)]
      const bytes = Buffer.from(value)
      return [varint(number * 8 + 2), varint(bytes.length), bytes]
    }),
  )

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = BigInt(value)
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

export const FLOAT = 1
export const INT64 = 7
export const BOOL = 9

const attribute = (name: string, value: number | Uint8Array): Buffer =>
  typeof value === 'number'
    ? message([
        [1, name],
        [3, value],
        [20, 2],
      ])
    : message([
        [1, name],
        [6, value],
        [20, 5],
      ])

export const node = (
  type: string,
  inputs: string[],
  outputs: string[],
  attributes: Record<string, number | Uint8Array> = {},
): Field => [
  1,
  message([
    ...inputs.map((name): Field => [1, name]),
    ...outputs.map((name): Field => [2, name]),
    [4, type],
    ...Object.entries(attributes).map(([name, value]): Field => [5, attribute(name, value)]),
  ]),
]

const dims = (shape: number[]) => shape.map((size): Field => [1, size])

export const floats = (name: string, shape: number[], values: number[]): Field => {
  const raw = new Uint8Array(Float32Array.from(values).buffer)
  return [5, message([...dims(shape), [2, FLOAT], [8, name], [9, raw]])]
}

export const integers = (name: string, values: number[], shape = [values.length]): Field => {
  const raw = new Uint8Array(BigInt64Array.from(values, BigInt).buffer)
  return [5, message([...dims(shape), [2, INT64], [8, name], [9, raw]])]
}

export const truth = (name: string): Field => [
  5,
  message([
    [2, BOOL],
    [8, name],
    [9, Uint8Array.of(1)],
  ]),
]

/** Floats whose values are in another file. */
export const externalFloats = (name: string, shape: number[], location: string): Field => {
  const entry = message([
    [1, 'location'],
    [2, location],
  ])
  return [5, message([...dims(shape), [2, FLOAT], [8, name], [13, entry], [14, 1]])]
}

/** A value with dimensions of any size, where they are named. */
const valueInfo = (name: string, type: number, shape: (string | number)[]): Buffer => {
  const sizes = shape.map(
    (size): Field => [1, message([typeof size === 'number' ? [1, size] : [2, size]])],
  )
  return message([
    [1, name],
    [
      2,
      message([
        [
          1,
          message([
            [1, type],
            [2, message(sizes)],
          ]),
        ],
      ]),
    ],
  ])
}

export const input = (name: string, type: number, shape: (string | number)[]): Field => [
  11,
  valueInfo(name, type, shape),
]

export const output = (name: string, type: number, shape: (string | number)[]): Field => [
  12,
  valueInfo(name, type, shape),
]

export const graph = (fields: Field[]): Buffer => message([[2, 'graph'], ...fields])

export const model = (fields: Field[]): Buffer =>
  message([
    [1, 8],
    [7, graph(fields)],
    [8, message([[2, 13]])],
  ])
