import {
  type Anchors,
  type IdentityConflicts,
  listAnchors,
  listConflicts,
  type ResolveConflict,
  resolveConflict,
} from '../../../shared/contract/identity.ts'
import type { Trust } from '../../../shared/contract/memories.ts'
import type { FieldError } from '../../../shared/errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { Engines } from '../engines/service.ts'
import { chosenFact } from '../facts/sentences.ts'
import { type FactOwner, subjectsOf } from '../facts/service.ts'
import { actorOf, editorTrust, isBelow, readableTrust } from '../memories/actor.ts'
import { listCurrentFor } from '../memories/succession-store.ts'
import { type ReaderKind, readableOwners } from '../wall.ts'
import { buildAnchors } from './anchors.ts'
import { applyChoice, type ConflictChoice, findConflicts, presentConflict } from './conflicts.ts'
import { listAnchorStatements } from './store.ts'

const identityError = defineErrors({
  conflict_not_found: { status: 404, detail: 'No conflict under that key' },
  conflict_memories_changed: {
    status: 409,
    detail: 'The memories of the conflict changed meanwhile; try again',
  },
  invalid_chosen_value: (type: string, msg: string) => ({
    status: 422,
    detail: [{ loc: ['body', 'chosen_value'], type, msg }] satisfies FieldError[],
  }),
})

/** Attempts while other requests change the memories of a conflict. */
const MAX_ATTEMPTS = 5

export type IdentityService = ReturnType<typeof createIdentityService>

export const createIdentityService = (
  database: Database,
  engines: Pick<Engines, 'names' | 'schedule'>,
) => {
  const statementsOf = async (user: FactOwner, reader: ReaderKind, minTrust?: Trust | null) => {
    const { personal } = readableOwners(user, reader)
    if (!personal) return []
    const trusts = readableTrust(user, minTrust)
    const statements = await listAnchorStatements(
      database.query,
      personal,
      subjectsOf(user),
      trusts,
    )
    const current = await listCurrentFor(database.query, personal, trusts)
    return statements.map((each) => ({
      ...each,
      isCurrent: each.isCurrent || current.has(each.memoryId),
    }))
  }

  return {
    /**
     * The current values of single-value keys in the memories of the user; none where the reader may not have them.
     * @param minTrust the lowest trust of the memories that count; by default what the caller may read.
     */
    anchors: async (
      caller: FactOwner,
      reader: ReaderKind,
      minTrust?: Trust | null,
    ): Promise<Anchors> => ({
      anchors: buildAnchors(await statementsOf(caller, reader, minTrust)),
    }),

    /** Single-value keys with incompatible values. */
    conflicts: async (caller: FactOwner): Promise<IdentityConflicts> => ({
      conflicts: findConflicts(await statementsOf(caller, 'person')).map(presentConflict),
    }),

    /**
     * Makes one value the current one. The memories with incompatible values are superseded.
     * @throws ApiError 404 without a conflict under the key, 422 for an invalid value, 409 if the
     * memories change during each attempt.
     */
    async resolve(
      caller: Caller,
      { anchor_key: key, chosen_value }: ResolveConflict,
    ): Promise<null> {
      const chosen = await parseChosenValue(key, chosen_value)
      const { commitResolution } = await import('./resolution.ts')
      const trust = editorTrust(caller)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const statements = await statementsOf(caller, 'person')
        const conflict = findConflicts(statements).find((each) => each.key === key)
        if (!conflict) throw identityError('conflict_not_found')
        const isCommitted = await commitResolution(database, {
          ownerId: caller.userId,
          subjects: subjectsOf(caller),
          actor: actorOf(caller),
          trust,
          timezone: caller.timezone,
          key,
          chosen,
          choice: confirmed(applyChoice(conflict, chosen), trust),
          engines: engines.names,
        })
        if (!isCommitted) continue
        engines.schedule(caller.userId)
        return null
      }
      throw identityError('conflict_memories_changed')
    },
  }
}

/** A choice is a statement of its own where the memory that states the value is trusted less. */
const confirmed = ({ winner, losers }: ConflictChoice, trust: Trust): ConflictChoice => ({
  winner: winner && isBelow(winner.trust, trust) ? undefined : winner,
  losers,
})

const MAX_VALUE = 200
const DATE = /^date[.]/

/**
 * Reads a chosen value in the form of extracted values.
 * @throws ApiError 422 unless it is a number or a text of 1 to 200 characters, and a day for date keys.
 */
const parseChosenValue = async (key: string, input: unknown): Promise<string> => {
  if (typeof input !== 'string' && typeof input !== 'number')
    throw identityError('invalid_chosen_value', 'string_type', 'Input should be a valid string')
  const value = String(input).replace(/\s+/g, ' ').trim()
  if (!value)
    throw identityError(
      'invalid_chosen_value',
      'string_too_short',
      'String should have at least 1 character',
    )
  if (value.length > MAX_VALUE)
    throw identityError(
      'invalid_chosen_value',
      'string_too_long',
      `String should have at most ${MAX_VALUE} characters`,
    )
  return DATE.test(key) ? parseDay(key, value) : value
}

/** "3 May" as `05-03`, and "3 May 1990" as `1990-05-03`. */
const parseDay = async (key: string, value: string): Promise<string> => {
  const { quote } = chosenFact(key, value)
  const { factsIn } = await import('../facts/rules/index.ts')
  const now = new Date()
  const day = factsIn(quote, { author: null, occurredAt: null, now }).find(
    (fact) => fact.key === key,
  )
  if (!day)
    throw identityError(
      'invalid_chosen_value',
      'datetime_parsing',
      'Input should be a day, such as 05-03 or 1990-05-03',
    )
  return day.value
}

export const identityRoutes = (mount: Mount, identity: IdentityService): void => {
  mount(listAnchors, ({ caller }) => identity.anchors(caller, 'person'))
  mount(listConflicts, ({ caller }) => identity.conflicts(caller))
  mount(resolveConflict, ({ caller, body }) => identity.resolve(caller, body))
}
