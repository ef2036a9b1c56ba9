import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { budgets } from '../../../../platform/budgets.ts'
import { entryFile } from '../../../../platform/files.ts'
import { ModelFailure } from '../../../../platform/models/failure.ts'
import {
  ChildKilled,
  createProcessPool,
  type KillReason,
} from '../../../../platform/process/pool.ts'
import type { EncodeTexts } from '../../../../platform/process-link.ts'
import {
  cut,
  MAX_CHARACTERS,
  normalize,
  PROVIDER,
  type Purpose,
  type VectorSource,
} from '../source.ts'
import type { EncoderResult, EncoderTask } from './encoder-process.ts'
import { type KnownModel, readKnownModel, UnusableModel } from './layout.ts'

export interface EncoderSettings {
  /** As the operator wrote it. */
  model: string
  /** The files of the model. */
  directory: string
  /** Where the model of many languages would be installed, if no operator has chosen this one. */
  multilingual?: string
}

/** A batch takes a second on a slow machine. */
const BATCH = 16
/** The memories of one task, which a question may have to wait for. */
const TASK_CHARACTERS = 400
/** Loading the model takes a second, and it takes 200 MB. */
const IDLE_MS = 10 * 60_000
/** Questions that wait for the encoder at a time: a recall does not wait for more than these. */
const MAX_QUESTIONS = 2
/** How long a recall waits for its vector. */
const QUESTION_BUDGET_MS = 40
/** Memories wait until no question has come for so long: more questions come soon after one. */
const QUIET_MS = 250
/** While questions keep coming, a task of memories runs once in this time. */
const MAX_WAIT_MS = 1_000

/** A process that is stopped is replaced after this time; on a busy machine a running one gets some CPU in it. */
const STALLED_MS = 10_000

const PROBLEMS: Record<KillReason, string> = {
  memory: 'it takes too much memory',
  time: 'it takes too long',
  aborted: 'it was stopped',
  ended: 'its process ended',
}

/** The properties of an encoder, read without running it. */
const describeEncoder = ({ model, directory }: EncoderSettings) => {
  const known = readIfUsable(directory)
  return {
    fingerprint: known?.fingerprint,
    name: model,
    batch: BATCH,
    isRemote: false,
    questionBudgetMs: QUESTION_BUDGET_MS,
    known:
      known?.dimensions && known.usual
        ? {
            identity: identityOf(known.fingerprint),
            dimensions: known.dimensions,
            usual: known.usual,
          }
        : undefined,
    languages: known?.languages,
  }
}

/** Uses the encoder of the first process of the server, which has the same settings. */
export const createSharedEncoder = (
  settings: EncoderSettings,
  encode: EncodeTexts,
): VectorSource => {
  const { fingerprint, ...described } = describeEncoder(settings)
  let identity = identityOf(fingerprint)
  return {
    ...described,
    identity: () => identity,
    async embed(texts, purpose) {
      const encoded = await encode({ texts, purpose })
      if ('failure' in encoded)
        throw new ModelFailure(encoded.failure, { provider: PROVIDER, reason: encoded.reason })
      identity = encoded.identity
      return encoded.vectors.map((vector) => vector ?? undefined)
    },
    stop: async () => {},
  }
}

/** Runs a sentence encoder on this machine's CPU, in a child process that ends when it has been idle. */
export const createEncoder = (
  settings: EncoderSettings,
  {
    cpuMs = budgets.encoder.cpuMs,
    ms = budgets.encoder.ms,
    memory = budgets.encoder.memory,
  }: { cpuMs?: number; ms?: number; memory?: number } = {},
): VectorSource => {
  const { model, directory } = settings
  const pool = createProcessPool({
    entry: entryFile('server/memory/engines/embedding/encoder/encoder-process.ts'),
    size: 1,
    taskCpuMs: cpuMs,
    taskMs: ms,
    stalledMs: STALLED_MS,
    memoryBytes: memory,
    reservedBytes: WASM_MEMORY_BYTES,
    cpuSeconds: 24 * 60 * 60,
    idleMs: IDLE_MS,
  })
  const stopped = new AbortController()
  const oneAtATime = pLimit(1)
  const questions = new Set<Promise<unknown>>()
  const { fingerprint: installed, ...described } = describeEncoder(settings)
  let fingerprint = installed

  const run = async (task: EncoderTask): Promise<number[][]> => {
    let result: Extract<EncoderResult, { vectors: number[][] }> | undefined
    for await (const item of pool.run({ header: task, bytes: new Uint8Array() }, stopped.signal)) {
      const answer = item as EncoderResult
      // Leaving the loop ends the child: the next one may find a repaired model.
      if ('problem' in answer) throw failure('refused', answer.problem)
      result = answer
    }
    if (result?.vectors.length !== task.texts.length) throw failure('malformed', PROBLEMS.ended)
    if (fingerprint !== undefined && fingerprint !== result.fingerprint)
      throw failure('refused', 'its files have changed; restart svc')
    fingerprint = result.fingerprint
    return result.vectors
  }
  const failure = (kind: ModelFailure['kind'], reason: string) =>
    new ModelFailure(kind, { provider: PROVIDER, reason: `${model}: ${reason}` })

  const runInTurn = (texts: string[], purpose: Purpose, signal: AbortSignal) =>
    oneAtATime(async () => {
      // The task runs to its end when its caller leaves, because a child that is killed must load the model again.
      if (signal.aborted) throw failure('timeout', PROBLEMS.time)
      try {
        return await run({ directory, texts, purpose })
      } catch (error) {
        if (!(error instanceof ChildKilled)) throw error
        throw failure(error.reason === 'time' ? 'timeout' : 'unavailable', PROBLEMS[error.reason])
      }
    })

  let lastQuestionAt = Number.NEGATIVE_INFINITY
  const embedQuestion = async (texts: string[], signal: AbortSignal) => {
    lastQuestionAt = performance.now()
    if (questions.size >= MAX_QUESTIONS) throw failure('timeout', PROBLEMS.time)
    const asking = runInTurn(texts, 'question', signal)
    questions.add(asking)
    return asking.finally(() => questions.delete(asking))
  }

  const untilQuiet = async (signal: AbortSignal): Promise<void> => {
    const latest = performance.now() + MAX_WAIT_MS
    for (;;) {
      const now = performance.now()
      const quietAt = Math.min(lastQuestionAt + QUIET_MS, latest)
      if (now >= quietAt || signal.aborted) break
      await pause(quietAt - now)
    }
    while (questions.size) await Promise.allSettled(questions)
  }

  const embedMemories = async (texts: string[], signal: AbortSignal) => {
    const vectors: number[][] = []
    for (const task of tasksOf(texts)) {
      await untilQuiet(signal)
      vectors.push(...(await runInTurn(task, 'memory', signal)))
    }
    return vectors
  }

  return {
    ...described,
    identity: () => identityOf(fingerprint),
    async embed(texts, purpose, signal) {
      const short = texts.map((text) => cut(text, MAX_CHARACTERS))
      const embed = purpose === 'question' ? embedQuestion : embedMemories
      return (await embed(short, signal)).map(normalize)
    },
    async stop() {
      stopped.abort()
      await pool[Symbol.asyncDispose]()
    },
  }
}

const identityOf = (fingerprint: string | undefined): string => `onnx:${fingerprint}`

/** A model that cannot be used says so when it runs. */
const readIfUsable = (directory: string): KnownModel | undefined => {
  try {
    return readKnownModel(directory)
  } catch (error) {
    if (error instanceof UnusableModel) return undefined
    throw error
  }
}

/** A memory of WebAssembly reserves 4 GiB and a guard at once, and fills them as needed. */
const WASM_MEMORY_BYTES = 6 * 1024 ** 3

const tasksOf = (texts: string[]): string[][] => {
  const tasks: string[][] = []
  let characters = TASK_CHARACTERS
  for (const text of texts) {
    if (characters + text.length > TASK_CHARACTERS) {
      tasks.push([])
      characters = 0
    }
    tasks.at(-1)?.push(text)
    characters += text.length
  }
  return tasks
}
