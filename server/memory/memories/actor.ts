import { lowestTrust, TRUST_LEVELS, type Trust } from '../../../shared/contract/memories.ts'
import { foldLabel } from '../../../shared/labels.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** The caller as memories need it. */
export type MemoryCaller = Pick<
  Caller,
  'userId' | 'ownerId' | 'keyId' | 'client' | 'sessionId' | 'isImpersonated' | 'trust' | 'minTrust'
> &
  Partial<Pick<Caller, 'timezone'>>

/** The cause of a change, as a memory's history names it. */
export interface Actor {
  kind: string
  ref: string | null
}

export const actorOf = ({
  keyId,
  sessionId,
  isImpersonated,
}: Pick<Caller, 'keyId' | 'sessionId' | 'isImpersonated'>): Actor => {
  if (keyId) return { kind: 'api_key', ref: keyId }
  return { kind: isImpersonated ? 'impersonation' : 'session', ref: sessionId }
}

/** The kind of source of a model's text: its answers, and what it remembers in a conversation. */
export const ANSWER_SOURCE = 'answer'

/** The writer of a new memory, and whom its text comes from. */
export interface Source extends Actor {
  trust: Trust
}

/** Authors of a model's text, as conversations name them. */
const ASSISTANTS = ['assistant', 'ai', 'bot', 'model', 'system', 'tool', 'svc']

/** The source of what a caller writes: text of an author that is an assistant is not the user's. */
export const sourceOf = (caller: MemoryCaller, author?: string | null): Source => ({
  ...actorOf(caller),
  trust: lowestTrust(
    caller.trust ?? 'user',
    author && ASSISTANTS.includes(foldLabel(author)) ? 'assistant' : 'user',
  ),
})

/** Who replaces the text of a memory. A person's own edit makes it theirs, and an assistant's raises nothing. */
export const editorTrust = (caller: MemoryCaller): Trust => caller.trust ?? 'user'

/** The levels of at least this trust; undefined where these are all. */
const trustedAtLeast = (level: Trust): Trust[] | undefined =>
  level === TRUST_LEVELS.at(-1) ? undefined : TRUST_LEVELS.slice(0, TRUST_LEVELS.indexOf(level) + 1)

/** Those of these levels that may state a fact: text that anyone may have written does not. */
export const factTrusts = (trusts: readonly Trust[] = TRUST_LEVELS): Trust[] =>
  trusts.filter((level) => level !== 'external')

/** Whether one level is below another. */
export const isBelow = (level: Trust, other: Trust): boolean =>
  level !== other && lowestTrust(level, other) === level

/** The stricter of the trust that a request asks for and the one that its caller may read. */
export const readableTrust = (
  { minTrust }: Pick<Caller, 'minTrust'>,
  asked?: Trust | null,
): Trust[] | undefined => {
  const levels = [minTrust, asked].flatMap((level) => level ?? [])
  const places = levels.map((level) => TRUST_LEVELS.indexOf(level))
  const strictest = TRUST_LEVELS[Math.min(...places)]
  return strictest && trustedAtLeast(strictest)
}

/** Whether a caller may read a memory of this trust. */
export const isReadable = (caller: Pick<Caller, 'minTrust'>, trust: Trust): boolean =>
  readableTrust(caller)?.includes(trust) ?? true
