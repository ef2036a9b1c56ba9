import type {
  Anchors,
  IdentityConflicts,
  ResolveConflict,
} from '../../../shared/contract/identity.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Engines } from '../engines/service.ts'
import { type FactOwner, subjectsOf } from '../facts/service.ts'
import { actorOf } from '../memories/actor.ts'
import { buildAnchors } from './anchors.ts'
import { applyChoice, findConflicts, presentConflict } from './conflicts.ts'
import { identityError } from './errors.ts'
import { commitResolution } from './resolution.ts'
import { listStatements } from './store.ts'
import { parseChosenValue } from './value.ts'

/** Attempts while other requests change the memories of a conflict. */
const MAX_ATTEMPTS = 5

export type IdentityService = ReturnType<typeof createIdentityService>

export const createIdentityService = (
  database: Database,
  engines: Pick<Engines, 'names' | 'nudge'>,
) => {
  const statementsOf = (user: FactOwner) =>
    listStatements(database.query, user.userId, subjectsOf(user))

  return {
    /** The current values of single-value keys in the caller's memories. */
    anchors: async (caller: FactOwner): Promise<Anchors> => ({
      anchors: buildAnchors(await statementsOf(caller)),
    }),

    /** Single-value keys with incompatible values. */
    conflicts: async (caller: FactOwner): Promise<IdentityConflicts> => ({
      conflicts: findConflicts(await statementsOf(caller)).map(presentConflict),
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
      const chosen = parseChosenValue(key, chosen_value)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const conflict = findConflicts(await statementsOf(caller)).find((each) => each.key === key)
        if (!conflict) throw identityError('conflict_not_found')
        const isCommitted = await commitResolution(database, {
          ownerId: caller.userId,
          subjects: subjectsOf(caller),
          actor: actorOf(caller),
          timezone: caller.timezone,
          key,
          chosen,
          choice: applyChoice(conflict, chosen),
          engines: engines.names,
        })
        if (!isCommitted) continue
        engines.nudge(caller.userId)
        return null
      }
      throw identityError('conflict_memories_changed')
    },
  }
}
