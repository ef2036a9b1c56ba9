import { isWithoutMemory, personText } from '../../../shared/assistant-text.ts'
import type { Capture } from '../../../shared/contract/capture.ts'
import { fieldsOf } from '../../../shared/objects.ts'
import { takesContext } from '../../assistants/answer.ts'
import { type HookEvent, storableText } from '../../assistants/capture.ts'
import { choiceOf, sendEntry } from '../../assistants/delivery.ts'
import { openOutages } from '../../assistants/outages.ts'
import { readPause } from '../../assistants/pause.ts'
import { createNever, memoryMode, projectName } from '../../assistants/project.ts'
import { changeSession } from '../../assistants/session-state.ts'
import { deliverSpool, openSpool, type SpooledCapture } from '../../assistants/spool.ts'
import { post, resolveTarget } from '../../assistants/target.ts'
import type { HookInput, HookMessage, Scene } from './scene.ts'
import {
  clearCompacted,
  endTurn,
  endUnknownTurn,
  isCompacted,
  markCompacted,
  readAnswer,
  startTurn,
  turnWithoutState,
} from './turns.ts'

const CONTEXT_TOKENS = 600
/** The longest query of the server. */
const MAX_QUERY = 32_000

/** Answers an event first, then stores and delivers. */
export const handleEvent = async (input: HookInput): Promise<void> => {
  const { event, environment, now } = input
  const { configDir } = environment
  const folder = event.folder ?? environment.folder
  const paused = readPause(configDir, now()) !== undefined
  const scene: Scene = {
    ...input,
    mode: paused ? 'off' : memoryMode(folder),
    project: projectName(folder, environment.home),
    isNever: createNever(folder),
    outages: openOutages(configDir, now),
  }
  const stored = await handlers[event.kind](scene)
  if (scene.mode === 'off') return
  if (stored) await spoolTurn(scene, stored)
  // A server that has not answered in time would delay the assistant again: the next hook delivers.
  if (event.kind === 'end' || !input.timeout.aborted) await deliver(scene)
}

const handlers: Record<HookEvent['kind'], (scene: Scene) => Promise<HookMessage | undefined>> = {
  async prompt(scene) {
    const { event, mode } = scene
    const { prompt = '' } = event
    const text = personText(prompt)
    const isMuted = text === '' || isWithoutMemory(text) || scene.isNever(text)
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
    if (scene.event.isCompacted) await markCompacted(scene)
    const query = scene.project && `The project ${scene.project}`
    await scene.answer(scene.mode === 'off' || !query ? '' : await askContext(scene, query))
    return undefined
  },

  async compaction(scene) {
    await markCompacted(scene)
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
    const text = [event.answer, state?.answer].find(isText) ?? (await readAnswer(event))
    if (!isText(text) || scene.isNever(text)) return undefined
    const { turn, ordinal } = state ?? (await endUnknownTurn(scene))
    return { turn, ordinal, role: 'assistant', content: await redact(text) }
  },
}

const isText = (text: string | undefined): text is string => text !== undefined && /\S/.test(text)

/** Only a text that may hold a secret is worth loading the detector. */
const redact = async (text: string): Promise<string> => {
  const { redactSecrets } = await import('../../../shared/secrets.ts')
  return storableText((await redactSecrets(text)).text)
}

/** @returns an empty text where nothing is relevant, or the server does not answer in time. */
const askContext = async (scene: Scene, query: string): Promise<string> => {
  const { client, event, environment, project, timeout, outages } = scene
  if (!takesContext(client, event.kind)) return ''
  try {
    const compacted = isCompacted(scene)
    const body = {
      query: query.slice(0, MAX_QUERY).toWellFormed(),
      thread: `${client}:${event.session}`,
      session: event.session,
      max_tokens: CONTEXT_TOKENS,
      ...(project !== undefined && { project }),
      ...(compacted && { compacted }),
    }
    const target = resolveTarget(environment)
    const request = () => post(target, '/api/context', body, timeout)
    const { text } = fieldsOf(await outages.guard(target.url, request, { timeout: 'hurried' }))
    if (compacted) await clearCompacted(scene)
    return typeof text === 'string' ? text : ''
  } catch {
    return ''
  }
}

/** After the answer, a hook delivers turns for so long. The assistant waits for its end. */
const DELIVERY_TIMEOUT_MS: Record<HookEvent['kind'], number> = {
  prompt: 300,
  start: 300,
  answer: 0,
  compaction: 0,
  end: 1_000,
}
/** At the end of a turn large texts get more time, so that they do not block the others for ever. */
const BYTES_PER_MS = 100
const MAX_DELIVERY_TIMEOUT_MS = 5_000

/**
 * Stores a turn durably before it is sent. On a full disk it is sent at once, unless the server has just not
 * given the prompt its context in time: the assistant would wait for it again.
 */
const spoolTurn = async (scene: Scene, { ordinal, ...message }: HookMessage): Promise<void> => {
  const { client, event, environment, project, now, outages } = scene
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
  await sendEntry(environment, outages)(entry, AbortSignal.timeout(DELIVERY_TIMEOUT_MS.end))
}

/** Sends the turns that wait. */
const deliver = async ({ environment, event, now, outages }: Scene): Promise<void> => {
  const base = DELIVERY_TIMEOUT_MS[event.kind]
  if (base === 0) return
  const spool = openSpool(environment.configDir)
  const extra = event.kind === 'end' ? spool.waitingBytes() / BYTES_PER_MS : 0
  const timeoutMs = Math.min(base + extra, MAX_DELIVERY_TIMEOUT_MS)
  await deliverSpool(spool, {
    send: sendEntry(environment, outages, { timeout: event.kind === 'end' ? 'fails' : 'ignored' }),
    timeoutMs,
    now,
  })
}
