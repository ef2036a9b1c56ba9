import type { Instructions } from '../../../shared/schemas/profile.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { findInstructions, saveInstructions } from './store.ts'

/** The text must be shorter than this (contract, section 8). */
const LENGTH_LIMIT = 2000

export type InstructionService = ReturnType<typeof createInstructionService>

/** What a person asks of every conversation. */
export const createInstructionService = ({ db }: Database) => ({
  async get(caller: Caller): Promise<Instructions> {
    return { instructions: await findInstructions(db, caller.userId) }
  },

  /** @throws ApiError 400 for 2,000 characters or more. */
  async set(caller: Caller, { instructions }: Instructions): Promise<void> {
    if ([...instructions].length >= LENGTH_LIMIT)
      throw new ApiError(400, `Custom instructions must be under ${LENGTH_LIMIT} characters`)
    await saveInstructions(db, caller.userId, instructions)
  },
})
