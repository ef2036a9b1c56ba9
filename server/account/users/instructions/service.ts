import type { Instructions } from '../../../../shared/contract/instructions.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { instructionError } from './errors.ts'
import { findInstructions, saveInstructions } from './store.ts'

/** Characters; the text must be shorter. */
const LENGTH_LIMIT = 2000

export type InstructionService = ReturnType<typeof createInstructionService>

export const createInstructionService = ({ db }: Database) => ({
  async get(caller: Caller): Promise<Instructions> {
    return { instructions: await findInstructions(db, caller.userId) }
  },

  /** @throws ApiError 400 for 2,000 characters or more. */
  async set(caller: Caller, { instructions }: Instructions): Promise<void> {
    if ([...instructions].length >= LENGTH_LIMIT)
      throw instructionError('instructions_too_long', LENGTH_LIMIT)
    await saveInstructions(db, caller.userId, instructions)
  },
})
