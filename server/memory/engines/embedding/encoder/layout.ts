import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { OperatorError } from '../../../../platform/operator-error.ts'
import type { Purpose } from '../source.ts'

/** A model that svc cannot use. The message names the file and the problem. */
export class UnusableModel extends OperatorError {
  override name = 'UnusableModel'
}

const MIB = 1024 * 1024
/** The vocabulary of a large multilingual model takes 17 MB. */
const MAX_JSON_BYTES = 64 * MIB
/** The model is in memory twice while it loads. */
export const MAX_MODEL_BYTES = 768 * MIB
/** BERT's. Longer text than this takes seconds on a CPU. */
const MAX_TOKENS = 512

/** How the vector of a text is made of the model's output. */
export interface ModelLayout {
  /** Relative to the directory. */
  modelFile: string
  pooling: 'mean' | 'cls'
  maxTokens: number
  /** Stands before the text. */
  prefixes: Record<Purpose, string>
  /** A module of sentence-transformers after pooling that svc cannot run. */
  unsupported: string | undefined
}

/** The file with which `svc models install` completes a model. */
export const MANIFEST = 'svc-model.json'

const Manifest = Type.Object({
  /** The name, directory or repository that was installed. */
  source: Type.String(),
  revision: Type.Optional(Type.String()),
  licence: Type.Optional(Type.String()),
  model: Type.String(),
  /** The languages that it knows; without them, all. */
  languages: Type.Optional(Type.Array(Type.String())),
  /** The cosine similarity of texts that have nothing to do with each other, as it was measured. */
  usual: Type.Optional(Type.Object({ mean: Type.Number(), deviation: Type.Number() })),
  /** SHA-256 in hexadecimal. */
  files: Type.Record(
    Type.String(),
    Type.Object({ bytes: Type.Integer(), sha256: Type.RegExp(/^[0-9a-f]{64}$/) }),
  ),
})
export type ModelManifest = Static<typeof Manifest>

const Module = Type.Object({ type: Type.String() })
const Pooling = Type.Object({
  pooling_mode_cls_token: Type.Optional(Type.Boolean()),
  pooling_mode_mean_tokens: Type.Optional(Type.Boolean()),
})
const SentenceConfig = Type.Object({ max_seq_length: Type.Optional(Type.Number({ minimum: 1 })) })
const Prompts = Type.Object({
  prompts: Type.Optional(Type.Record(Type.String(), Type.String())),
})
const ModelConfig = Type.Object({
  hidden_size: Type.Optional(Type.Number({ minimum: 1 })),
  _name_or_path: Type.Optional(Type.String()),
  max_position_embeddings: Type.Optional(Type.Number({ minimum: 1 })),
})

/** @returns undefined if the file is missing. @throws UnusableModel */
export const readJson = <T extends TSchema>(
  directory: string,
  file: string,
  schema: T,
): Static<T> | undefined => {
  const path = join(directory, file)
  if (!existsSync(path)) return undefined
  if (statSync(path).size > MAX_JSON_BYTES) throw new UnusableModel(`${file} is larger than 64 MB`)
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new UnusableModel(`${file} is not JSON`)
  }
  if (!Value.Check(schema, value)) throw new UnusableModel(`${file} has unexpected values`)
  return value
}

export const readManifest = (directory: string): ModelManifest | undefined =>
  readJson(directory, MANIFEST, Manifest)

/** Where models for sentence-transformers have their ONNX file, those for CPUs first. */
const MODEL_FOLDERS = ['onnx', '.']
const MODEL_FILES = ['model.onnx', 'model_quantized.onnx']

/** The ONNX file of a directory without a manifest: a usual name, or the only one. */
export const findModelFile = (directory: string): string => {
  for (const folder of MODEL_FOLDERS.filter((each) => existsSync(join(directory, each)))) {
    const files = readdirSync(join(directory, folder)).filter((file) => file.endsWith('.onnx'))
    const file = MODEL_FILES.find((each) => files.includes(each)) ?? files[0]
    if (file && (MODEL_FILES.includes(file) || files.length === 1)) return join(folder, file)
  }
  throw new UnusableModel('There is no onnx/model.onnx or model.onnx')
}

/** E5 was trained with these (https://arxiv.org/abs/2212.03533); its files do not have them. */
const E5 = /(?:^|[^a-z])e5(?:[^a-z]|$)/i
const E5_PREFIXES = { question: 'query: ', memory: 'passage: ' }

const RUN_MODULES = /\.(?:Transformer|Pooling|Normalize)$/

/**
 * Reads what the files of sentence-transformers and transformers say about a model. Without them: the mean
 * of all tokens, and no prefix.
 * @throws UnusableModel
 */
export const readLayout = (directory: string, manifest: ModelManifest | undefined): ModelLayout => {
  const config = readJson(directory, 'config.json', ModelConfig)
  const sentence = readJson(directory, 'sentence_bert_config.json', SentenceConfig)
  const prompts = readJson(directory, 'config_sentence_transformers.json', Prompts)?.prompts
  const modules = readJson(directory, 'modules.json', Type.Array(Module)) ?? []
  const isE5 = E5.test(manifest?.source ?? directory) || E5.test(config?._name_or_path ?? '')
  const { question, memory } = isE5 ? E5_PREFIXES : { question: '', memory: '' }
  return {
    modelFile: manifest?.model ?? findModelFile(directory),
    pooling: readPooling(directory),
    maxTokens: Math.min(
      sentence?.max_seq_length ?? config?.max_position_embeddings ?? MAX_TOKENS,
      MAX_TOKENS,
    ),
    prefixes: {
      question: prompts?.query ?? question,
      memory: prompts?.passage ?? prompts?.document ?? memory,
    },
    unsupported: modules.find(({ type }) => !RUN_MODULES.test(type))?.type,
  }
}

/** Identifies the vectors of a model: its files, and how they are used. */
export const fingerprintOf = (digests: readonly string[], layout: ModelLayout): string =>
  new Bun.CryptoHasher('sha256')
    .update([...digests, JSON.stringify(layout)].join())
    .digest('hex')
    .slice(0, 16)

/** The digests of a manifest's files, that of the model first. */
export const digestsOf = ({ model, files }: ModelManifest): string[] =>
  Object.entries(files)
    .sort(([a], [b]) => Number(b === model) - Number(a === model))
    .map(([, { sha256 }]) => sha256)

/** The properties of an installed model, read without running it. */
export interface KnownModel {
  fingerprint: string
  dimensions: number | undefined
  languages: readonly string[] | undefined
  usual: ModelManifest['usual']
}

/** @returns undefined without a manifest, which only an installed model has. @throws UnusableModel */
export const readKnownModel = (directory: string): KnownModel | undefined => {
  const manifest = readManifest(directory)
  if (!manifest) return undefined
  return {
    fingerprint: fingerprintOf(digestsOf(manifest), readLayout(directory, manifest)),
    dimensions: readJson(directory, 'config.json', ModelConfig)?.hidden_size,
    languages: manifest.languages,
    usual: manifest.usual,
  }
}

const POOLING = '1_Pooling/config.json'

const readPooling = (directory: string): ModelLayout['pooling'] => {
  const pooling = readJson(directory, POOLING, Pooling)
  if (pooling?.pooling_mode_cls_token) return 'cls'
  if (!pooling || pooling.pooling_mode_mean_tokens) return 'mean'
  throw new UnusableModel(`${POOLING} asks for a pooling other than mean or CLS`)
}
