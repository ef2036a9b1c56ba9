import type {
  Anchors,
  IdentityConflicts,
  ResolveConflict,
} from '../../../shared/schemas/identity.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Engines } from '../engines/service.ts'
import { type Person, subjectsOf } from '../facts/service.ts'
import { actorOf } from '../memories/service.ts'
import { anchorsOf } from './anchors.ts'
import { settle } from './commit.ts'
import { choose, conflictsOf, presentConflict } from './conflicts.ts'
import { listSayings } from './store.ts'
import { chosenValue } from './value.ts'

/** Memories can be changed by others while they are settled only so often. */
const MAX_ATTEMPTS = 5

export type IdentityService = ReturnType<typeof createIdentityService>

export const createIdentityService = (
  database: Database,
  engines: Pick<Engines, 'names' | 'nudge'>,
) => {
  const said = (person: Person) => listSayings(database.query, person.userId, subjectsOf(person))

  return {
    /** What the caller's memories say of them that they have one of at a time. */
    anchors: async (caller: Person): Promise<Anchors> => ({
      anchors: anchorsOf(await said(caller)),
    }),

    /** Where they contradict each other in that. */
    conflicts: async (caller: Person): Promise<IdentityConflicts> => ({
      conflicts: conflictsOf(await said(caller)).map(presentConflict),
    }),

    /**
     * Makes one value the one that holds. The memories that say otherwise are superseded.
     * @throws ApiError 404 without such a conflict, 422 for what is no value, 409 when the memories
     * are changed again and again meanwhile.
     */
    async resolve(
      caller: Caller,
      { anchor_key: key, chosen_value }: ResolveConflict,
    ): Promise<null> {
      const chosen = chosenValue(key, chosen_value)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const conflict = conflictsOf(await said(caller)).find((each) => each.key === key)
        if (!conflict) throw new ApiError(404, 'No conflict under that key')
        const isSettled = await settle(database, {
          ownerId: caller.userId,
          subjects: subjectsOf(caller),
          actor: actorOf(caller),
          timezone: caller.timezone,
          key,
          chosen,
          choice: choose(conflict, chosen),
          engines: engines.names,
        })
        if (!isSettled) continue
        engines.nudge(caller.userId)
        return null
      }
      throw new ApiError(409, 'The memories are being changed; try again')
    },
  }
}
