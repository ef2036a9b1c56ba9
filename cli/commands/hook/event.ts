import { createHash } from 'node:crypto'
import { isWithoutMemory, personText } from '../../../shared/assistant-text.ts'
import type { Capture } from '../../../shared/contract/capture.ts'
import { fieldsOf } from '../../../shared/objects.ts'
import { takesContext } from '../../assistants/answer.ts'
import { type HookEvent, storableText } from '../../assistants/capture.ts'
import type { AssistantName } from '../../assistants/clients.ts'
import { choiceOf, sendEntry } from '../../assistants/delivery.ts'
import { readPause } from '../../assistants/pause.ts'
import { memoryMode, type ProjectMemoryMode, projectName } from '../../assistants/project.ts'
import { changeSession, readSession } from '../../assistants/session-state.ts'
import { deliverSpool, openSpool, type SpooledCapture } from '../../assistants/spool.ts'
import { post, resolveTarget } from '../../assistants/target.ts'
import type { CliEnvironment } from '../../config.ts'

export interface HookInput {
  client: AssistantName
  event: HookEvent
  environment: CliEnvironment
  now: () => number
  /** When the assistant gets its answer at the latest. */
  timeout: AbortSignal
  /** Writes the answer with a context for the model, or with none. */
  answer(context: string): Promise<void>
}

/** After the answer, a hook delivers turns for so long. The assistant waits for its end. */
const DELIVERY_TIMEOUT_MS = { prompt: 300, start: 300, answer: 0, end: 1_000 }
/** At the end of a turn large texts get more time, so that they do not block the others for ever. */
const BYTES_PER_MS = 100
const MAX_DELIVERY_TIMEOUT_MS = 5_000
const CONTEXT_TOKENS = 600
/** The longest query of the server. */
const MAX_QUERY = 32_000

interface Scene extends HookInput {
  mode: ProjectMemoryMode
  project: string | undefined
}

/** Answers an event first, then stores and delivers. */
export const handleEvent = async (input: HookInput): Promise<void> => {
  const { event, environment, now } = input
  const folder = event.folder ?? environment.folder
  const paused = readPause(environment.configDir, now()) !== undefined
  const scene: Scene = {
    ...input,
    mode: paused ? 'off' : memoryMode(folder),
    project: projectName(folder, environment.home),
  }
  const stored = await handlers[event.kind](scene)
  if (scene.mode === 'off') return
  if (stored) await spoolTurn(scene, stored)
  // A server that has not answered in time would delay the assistant again: the next hook delivers.
  if (event.kind === 'end' || !input.timeout.aborted) await deliver(scene)
}

/** A message to store. */
interface Turn {
  turn: string
  ordinal: number | undefined
  role: 'user' | 'assistant'
  content: string
}

const handlers: Record<HookEvent['kind'], (scene: Scene) => Promise<Turn | undefined>> = {
  async prompt(scene) {
    const { event, mode } = scene
    const { prompt = '' } = event
    const text = personText(prompt)
    const isMuted = text === '' || isWithoutMemory(text)
    const redacted = isMuted || mode === 'off' ? '' : await redact(text)
    // The request is under way while the files are written.
    const context = redacted === '' ? Promise.resolve('') : askContext(scene, redacted)
    const state = await startTurn(scene, text || undefined, isMuted || mode !== 'on').catch(
      () => undefined,
    )
    await scene.answer(await context)
    if (isMuted || mode !== 'on') return undefined
    const place = state ?? (await turnWithoutState(event, text))
    return { ...place, role: 'user', content: redacted }
  },

  async start(scene) {
    const query = scene.project && `The project ${scene.project}`
    await scene.answer(scene.mode === 'off' || !query ? '' : await askContext(scene, query))
    return undefined
  },

  async answer(scene) {
    const { event, client, environment, mode } = scene
    if (event.answer === undefined || mode !== 'on') return undefined
    const answer = await redact(event.answer)
    const { turn, ordinal = 0 } = await turnWithoutState(event)
    const unknown = { prompts: ordinal, turn, isMuted: false }
    await changeSession(environment.configDir, client, event.session, (state = unknown) => ({
      ...state,
      answer,
    }))
    return undefined
  },

  async end(scene) {
    const { event, mode } = scene
    const state = await endTurn(scene)
    if (mode !== 'on' || state?.isMuted) return undefined
    const text = event.answer ?? state?.answer ?? (await readAnswer(event))
    if (!text || !/\S/.test(text)) return undefined
    const { turn, ordinal } = state ?? (await turnWithoutState(event))
    return { turn, ordinal, role: 'assistant', content: await redact(text) }
  },
}

/** Only a text that may hold a secret is worth loading the detector. */
const redact = async (text: string): Promise<string> => {
  const { redactSecrets } = await import('../../../shared/secrets.ts')
  return storableText((await redactSecrets(text)).text)
}

/** @returns an empty text where nothing is relevant, or the server does not answer in time. */
const askContext = async (scene: Scene, query: string): Promise<string> => {
  const { client, event, environment, project, timeout } = scene
  if (!takesContext(client, event.kind)) return ''
  try {
    const body = {
      query: query.slice(0, MAX_QUERY).toWellFormed(),
      thread: `${client}:${event.session}`,
      session: event.session,
      max_tokens: CONTEXT_TOKENS,
      ...(project !== undefined && { project }),
    }
    const { text } = fieldsOf(await post(resolveTarget(environment), '/api/context', body, timeout))
    return typeof text === 'string' ? text : ''
  } catch {
    return ''
  }
}

type TurnPlace = Pick<Turn, 'turn' | 'ordinal'>

/** Counts a prompt, also one that is not stored: transcripts have it too. */
const startTurn = async (
  { event, client, environment }: Scene,
  text: string | undefined,
  isMuted: boolean,
): Promise<TurnPlace> => {
  const { configDir } = environment
  const known = readSession(configDir, client, event.session)
  const before = known?.prompts ?? (await countPrompts(event, text))
  const part = createHash('sha256')
    .update(event.prompt ?? '')
    .digest('base64url')
    .slice(0, 16)
  const state = await changeSession(configDir, client, event.session, (latest) => {
    const prompts = latest?.prompts ?? before
    if (latest && event.turn === latest.turn) {
      const { parts = [] } = latest
      return { ...latest, isMuted, parts: parts.includes(part) ? parts : [...parts, part] }
    }
    // A message that the assistant wrote in the name of the person is no prompt.
    const count = event.ordinal ?? (text === undefined ? prompts : prompts + 1)
    return { prompts: count, turn: event.turn ?? String(count), isMuted, parts: [part] }
  })
  const index = state.parts?.indexOf(part) ?? 0
  return {
    turn: index > 0 ? `${state.turn}:${index + 1}` : state.turn,
    ordinal: state.prompts || undefined,
  }
}

/** The number of prompts before this one. Its transcript may have it already. */
const countPrompts = async (
  { transcript }: HookEvent,
  text: string | undefined,
): Promise<number> => {
  const { readTranscript } = await import('../../assistants/transcript.ts')
  const found = readTranscript(transcript)
  if (!found) return 0
  return text !== undefined && found.open === text ? found.prompts - 1 : found.prompts
}

/** The place of the turn that ends. */
const endTurn = async ({
  event,
  client,
  environment,
}: Scene): Promise<(TurnPlace & { isMuted: boolean; answer: string | undefined }) | undefined> => {
  const { configDir } = environment
  const state = readSession(configDir, client, event.session)
  if (state?.answer !== undefined)
    await changeSession(configDir, client, event.session, (latest) => {
      const { answer: _, ...rest } = latest ?? state
      return rest
    }).catch(() => undefined)
  if (!state) return undefined
  // An assistant may name the turn only at its end.
  const { turn = state.turn } = event
  return { turn, ordinal: state.prompts || undefined, isMuted: state.isMuted, answer: state.answer }
}

/** Without a state: by the id of the assistant, by the transcript, or by an id of its own. */
const turnWithoutState = async (event: HookEvent, prompt?: string): Promise<TurnPlace> => {
  const { turn, ordinal } = event
  if (turn !== undefined) return { turn, ordinal }
  if (ordinal !== undefined) return { turn: String(ordinal), ordinal }
  const before = await countPrompts(event, prompt)
  const count = prompt === undefined ? before : before + 1
  if (event.transcript === undefined || count === 0)
    return { turn: crypto.randomUUID(), ordinal: undefined }
  return { turn: String(count), ordinal: count }
}

const readAnswer = async ({ transcript }: HookEvent): Promise<string | undefined> => {
  const { readTranscript } = await import('../../assistants/transcript.ts')
  return readTranscript(transcript)?.answer
}

/**
 * Stores a turn durably before it is sent. On a full disk it is sent at once, unless the server has just not
 * given the prompt its context in time: the assistant would wait for it again.
 */
const spoolTurn = async (scene: Scene, { ordinal, ...message }: Turn): Promise<void> => {
  const { client, event, environment, project, now } = scene
  const capture: Capture = {
    client,
    channel: 'hook',
    session: event.session,
    ...(project !== undefined && { project }),
    messages: [
      {
        ...message,
        ...(ordinal !== undefined && { ordinal }),
        occurred_at: new Date(now()).toISOString(),
      },
    ],
  }
  const entry: SpooledCapture = { target: choiceOf(environment), capture }
  try {
    if (openSpool(environment.configDir).add(entry, now()) !== undefined) return
  } catch {}
  if (event.kind === 'prompt' && scene.timeout.aborted) return
  const timeout = AbortSignal.timeout(DELIVERY_TIMEOUT_MS.end)
  await sendEntry(environment)(entry, timeout)
}

const deliver = async ({ environment, event, now }: Scene): Promise<void> => {
  const base = DELIVERY_TIMEOUT_MS[event.kind]
  if (base === 0) return
  const spool = openSpool(environment.configDir)
  const extra = event.kind === 'end' ? spool.waitingBytes() / BYTES_PER_MS : 0
  const timeoutMs = Math.min(base + extra, MAX_DELIVERY_TIMEOUT_MS)
  await deliverSpool(spool, { send: sendEntry(environment), timeoutMs, now })
}
