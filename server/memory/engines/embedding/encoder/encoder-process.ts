import { existsSync, readFileSync, statSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { Type } from '@sinclair/typebox'
import { env, InferenceSession, Tensor } from 'onnxruntime-web/wasm'
import { packageFile } from '../../../../platform/files.ts'
import { serveTasks } from '../../../../platform/process/protocol.ts'
import { MAX_DIMENSIONS, type Purpose } from '../source.ts'
import {
  digestsOf,
  fingerprintOf,
  MAX_MODEL_BYTES,
  type ModelLayout,
  readJson,
  readLayout,
  readManifest,
  UnusableModel,
} from './layout.ts'

export interface EncoderTask {
  directory: string
  texts: string[]
  purpose: Purpose
}

export type EncoderResult =
  | { fingerprint: string; vectors: number[][] }
  /** Why the model cannot be used. */
  | { problem: string }

type Encoder = Awaited<ReturnType<typeof loadEncoder>>

const sha256 = (bytes: Uint8Array | string) =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

/** Reads a file, and compares it with the checksum that was recorded when it was installed. */
const readVerified = (directory: string, file: string, expected: string | undefined) => {
  const path = join(directory, file)
  if (!existsSync(path)) throw new UnusableModel(`${file} is missing`)
  if (statSync(path).size > MAX_MODEL_BYTES)
    throw new UnusableModel(`${file} is larger than ${MAX_MODEL_BYTES / 1024 / 1024} MB`)
  const bytes = readFileSync(path)
  const digest = sha256(bytes)
  if (expected !== undefined && digest !== expected)
    throw new UnusableModel(`${file} differs from the file that was installed`)
  return { bytes, digest }
}

const TOKENIZER = 'tokenizer.json'
const TOKENIZER_CONFIG = 'tokenizer_config.json'

const loadTokenizer = (directory: string): Tokenizer => {
  const anyObject = Type.Object({}, { additionalProperties: true })
  const definition = readJson(directory, TOKENIZER, anyObject)
  if (!definition) throw new UnusableModel(`${TOKENIZER} is missing`)
  return new Tokenizer(definition, readJson(directory, TOKENIZER_CONFIG, anyObject) ?? {})
}

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd]

/** The runtime in WebAssembly. A release has it compressed (`scripts/release/contents.ts`). */
const readRuntime = (): Uint8Array => {
  const bytes = readFileSync(packageFile('onnxruntime-web/ort-wasm-simd-threaded.wasm'))
  return ZSTD.every((byte, i) => bytes[i] === byte) ? Bun.zstdDecompressSync(bytes) : bytes
}

type Runtime = Pick<typeof import('onnxruntime-web/wasm'), 'InferenceSession'>

/** The native build of ONNX Runtime, which takes a third of the time, where it is installed beside svc. */
const importNative = async (): Promise<Runtime | undefined> => {
  try {
    return await import(packageFile('onnxruntime-node'))
  } catch {
    return undefined
  }
}

/** @param isVerified only a model whose checksum is known runs in native code, which it could make crash. */
const createSession = async (bytes: Uint8Array, isVerified: boolean): Promise<InferenceSession> => {
  const native = isVerified ? await importNative() : undefined
  if (native)
    return native.InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    })
  env.wasm.numThreads = 1
  env.wasm.wasmBinary = readRuntime()
  try {
    return await InferenceSession.create(bytes, { executionProviders: ['wasm'] })
  } finally {
    delete env.wasm.wasmBinary
  }
}

const loadEncoder = async (directory: string) => {
  if (!existsSync(directory)) throw new UnusableModel('it is not installed')
  const manifest = readManifest(directory)
  const layout = readLayout(directory, manifest)
  for (const [file, { sha256: expected }] of Object.entries(manifest?.files ?? {}))
    if (file !== layout.modelFile) readVerified(directory, file, expected)
  const tokenizer = loadTokenizer(directory)
  const expected = manifest?.files[layout.modelFile]?.sha256
  const { bytes, digest } = readVerified(directory, layout.modelFile, expected)
  const session = await createSession(bytes, expected !== undefined)
  return {
    fingerprint: fingerprintOf(
      manifest
        ? digestsOf(manifest)
        : [digest, readVerified(directory, TOKENIZER, undefined).digest],
      layout,
    ),
    encode: (text: string, purpose: Purpose): Promise<number[]> =>
      encode(session, layout, tokenizer.encode(layout.prefixes[purpose] + text).ids),
  }
}

/** The inputs of BERT and its relatives, by name. */
const INPUTS: Record<string, (length: number) => bigint[]> = {
  attention_mask: (length) => Array(length).fill(1n),
  token_type_ids: (length) => Array(length).fill(0n),
  position_ids: (length) => Array.from({ length }, (_, i) => BigInt(i)),
}

/** One text at a time: on one thread a batch is not faster, and texts of different lengths need no padding. */
const encode = async (
  session: InferenceSession,
  { pooling, maxTokens, unsupported }: ModelLayout,
  tokens: number[],
): Promise<number[]> => {
  // The last token ends the text.
  const ids =
    tokens.length > maxTokens ? [...tokens.slice(0, maxTokens - 1), ...tokens.slice(-1)] : tokens
  const feeds = Object.fromEntries(
    session.inputNames.map((name) => {
      const values = name === 'input_ids' ? ids.map(BigInt) : INPUTS[name]?.(ids.length)
      if (!values) throw new UnusableModel(`the model needs the unknown input ${name.slice(0, 50)}`)
      return [name, new Tensor('int64', BigInt64Array.from(values), [1, ids.length])]
    }),
  )
  const names = session.outputNames
  const sentence = names.find((name) => name === 'sentence_embedding')
  if (unsupported && !sentence)
    throw new UnusableModel(`modules.json needs ${unsupported.slice(0, 100)}`)
  const name = sentence ?? names.find((each) => each === 'last_hidden_state') ?? names[0] ?? ''
  const output = (await session.run(feeds, [name]))[name]
  const dimensions = output?.dims.at(-1) ?? 0
  if (!(output?.data instanceof Float32Array) || dimensions < 1 || dimensions > MAX_DIMENSIONS)
    throw new UnusableModel('the output of the model is not a vector of 32-bit floats')
  const rows = output.data.length / dimensions
  if (rows !== (output.dims.length === 2 ? 1 : ids.length))
    throw new UnusableModel('the output of the model is not one vector for each token')
  return pool(output.data, dimensions, pooling === 'cls' ? 1 : rows)
}

/** The mean of the first rows. */
const pool = (values: Float32Array, dimensions: number, rows: number): number[] =>
  Array.from({ length: dimensions }, (_, i) => {
    let sum = 0
    for (let row = 0; row < rows; row += 1) sum += values[row * dimensions + i] ?? 0
    return sum / rows
  })

const MAX_PROBLEM = 200

/** Requests come first on a busy machine (setpriority(2)). */
const PRIORITY = 5
setPriority(PRIORITY)

let encoder: Promise<Encoder> | undefined

await serveTasks(async function* (header): AsyncGenerator<EncoderResult> {
  const { directory, texts, purpose } = header as EncoderTask
  try {
    const isFirst = !encoder
    encoder ??= loadEncoder(directory)
    const { fingerprint, encode } = await encoder
    const vectors: number[][] = []
    for (const text of texts) vectors.push(await encode(text, purpose))
    yield { fingerprint, vectors }
    // The runtime has its own copies of the files; those of JavaScript would stay until the next collection.
    if (isFirst) Bun.gc(true)
  } catch (error) {
    const [problem = ''] = String(error instanceof Error ? error.message : error).split('\n')
    yield { problem: problem.slice(0, MAX_PROBLEM) }
  }
})
