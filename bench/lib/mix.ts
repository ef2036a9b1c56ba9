/**
 * Sends an open-loop mix of requests: each at its scheduled time, regardless of pending responses, and
 * timed from then. Reads one `Mix` as a line of JSON from stdin, runs until its time is over or stdin
 * ends, and prints the `Sample`s. Runs in a separate process, so that a busy server cannot delay it.
 */
import { me, recall, remember } from '../../shared/contract/index.ts'
import { conversations, questionAbout, random } from './text.ts'
import { memoryOf } from './write.ts'

export interface Mix {
  url: string
  /** API keys. The owner of key i wrote `conversations(memories, i + 1)`. */
  keys: string[]
  memories: number
  /** N sends N remember, N recall and 2 N `GET /api/me` per second. */
  rate: number
  seconds: number
  /** Selects the questions and memories. */
  seed: number
}

export interface Sample {
  kind: 'remember' | 'recall' | 'me'
  /** Milliseconds from the start of the mix until the scheduled time. */
  at: number
  /** From the scheduled time until the response was read. */
  ms: number
  failed: boolean
  /** Whether the server refused it with a 503. */
  refused: boolean
}

const ORDER: Sample['kind'][] = ['me', 'remember', 'me', 'recall']
const ENDPOINTS = { remember, recall, me }
/** A request that takes longer counts as failed. */
const TIMEOUT_MS = 30_000

const readMix = async (): Promise<{ mix: Mix; ended: Promise<void> }> => {
  const lines = console[Symbol.asyncIterator]()
  const { value } = await lines.next()
  return { mix: JSON.parse(value), ended: lines.next().then(() => {}) }
}

/** @returns a function that makes the body of the next request of a kind. */
const createBodies = ({ keys, memories, seed }: Mix, next: () => number) => {
  const written = keys.map((_, i) => conversations(memories, i + 1))
  let fresh = conversations(1_000, seed)
  let used = 0
  return (kind: Sample['kind'], person: number): object | undefined => {
    const turns = written[person] ?? []
    const turn = turns[Math.floor(next() * turns.length)]
    if (kind === 'recall' && turn) return { query: questionAbout(turn, next) }
    if (kind !== 'remember') return undefined
    if (used === fresh.length) {
      fresh = conversations(1_000, Math.floor(next() * 2 ** 31))
      used = 0
    }
    const memory = fresh[used++]
    return memory && memoryOf(memory)
  }
}

const send = async (mix: Mix, kind: Sample['kind'], person: number, body: object | undefined) => {
  const { method, path } = ENDPOINTS[kind]
  const response = await fetch(new URL(path, mix.url), {
    method,
    headers: {
      authorization: `Bearer ${mix.keys[person]}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.arrayBuffer()
  return response
}

const { mix, ended } = await readMix()
const next = random(mix.seed)
const bodyOf = createBodies(mix, next)
const samples: Sample[] = []
const open = new Set<Promise<void>>()
let isOver = false
void ended.then(() => {
  isOver = true
})

const start = performance.now()
const gapMs = 1000 / (4 * mix.rate)
for (let i = 0; !isOver && i * gapMs < mix.seconds * 1000; i++) {
  const due = start + i * gapMs
  const wait = due - performance.now()
  if (wait > 0) await Bun.sleep(wait)
  const kind = ORDER[i % ORDER.length] as Sample['kind']
  const person = Math.floor(next() * mix.keys.length)
  const sent = send(mix, kind, person, bodyOf(kind, person))
    .catch(() => undefined)
    .then((response) => {
      const ms = performance.now() - due
      const refused = response?.status === 503
      samples.push({ kind, at: due - start, ms, failed: !response?.ok, refused })
      open.delete(sent)
    })
  open.add(sent)
}
await Promise.all(open)
console.log(JSON.stringify(samples))
process.exit()
