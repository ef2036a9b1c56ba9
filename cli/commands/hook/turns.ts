import { createHash } from 'node:crypto'
import type { HookEvent } from '../../assistants/capture.ts'
import { changeSession, readSession } from '../../assistants/session-state.ts'
import type { Scene, TurnPosition } from './scene.ts'

/** Counts a prompt, also one that is not stored: transcripts have it too. */
export const startTurn = async (
  { event, client, environment }: Scene,
  text: string | undefined,
  isMuted: boolean,
): Promise<TurnPosition> => {
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
    const turn = event.turn ?? String(count)
    const isCompacted = latest?.isCompacted ?? false
    return { prompts: count, turn, isMuted, parts: [part], isCompacted }
  })
  const index = state.parts?.indexOf(part) ?? 0
  return {
    turn: index > 0 ? `${state.turn}:${index + 1}` : state.turn,
    ordinal: state.prompts || undefined,
  }
}

/**
 * The place of a turn that ends without a state. An assistant may continue the turn after its end, so the next
 * end finds a place that the assistant does not name.
 */
export const endUnknownTurn = async ({
  event,
  client,
  environment,
}: Scene): Promise<TurnPosition> => {
  const place = await turnWithoutState(event)
  if (event.turn !== undefined) return place
  const { turn, ordinal = 0 } = place
  await changeSession(
    environment.configDir,
    client,
    event.session,
    (latest) => latest ?? { prompts: ordinal, turn, isMuted: false },
  ).catch(() => undefined)
  return place
}

/** Records that the model no longer has what the session was given, for the next request of its context. */
export const markCompacted = async ({ event, client, environment }: Scene): Promise<void> => {
  const { configDir } = environment
  const known = readSession(configDir, client, event.session)
  const prompts = known?.prompts ?? (await countPrompts(event, undefined))
  const unknown = { prompts, turn: String(prompts), isMuted: false }
  await changeSession(configDir, client, event.session, (state = unknown) => ({
    ...state,
    isCompacted: true,
  })).catch(() => undefined)
}

export const isCompacted = ({ event, client, environment }: Scene): boolean =>
  readSession(environment.configDir, client, event.session)?.isCompacted ?? false

/** Records that the server has forgotten what the session was given. */
export const clearCompacted = async ({ event, client, environment }: Scene): Promise<void> => {
  await changeSession(environment.configDir, client, event.session, (state) => ({
    ...(state ?? { prompts: 0, turn: '0', isMuted: false }),
    isCompacted: false,
  })).catch(() => undefined)
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
export const endTurn = async ({
  event,
  client,
  environment,
}: Scene): Promise<
  (TurnPosition & { isMuted: boolean; answer: string | undefined }) | undefined
> => {
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
export const turnWithoutState = async (
  event: HookEvent,
  prompt?: string,
): Promise<TurnPosition> => {
  const { turn, ordinal } = event
  if (turn !== undefined) return { turn, ordinal }
  if (ordinal !== undefined) return { turn: String(ordinal), ordinal }
  const before = await countPrompts(event, prompt)
  const count = prompt === undefined ? before : before + 1
  if (event.transcript === undefined || count === 0)
    return { turn: crypto.randomUUID(), ordinal: undefined }
  return { turn: String(count), ordinal: count }
}

export const readAnswer = async ({ transcript }: HookEvent): Promise<string | undefined> => {
  const { readTranscript } = await import('../../assistants/transcript.ts')
  return readTranscript(transcript)?.answer
}
