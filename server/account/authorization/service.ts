import { type AskingSurroundings, createAsking } from './asking.ts'
import { createGranting, type GrantingSurroundings } from './granting.ts'
import { endGrantsIn } from './store.ts'

export type AuthorizationService = ReturnType<typeof createAuthorizationService>

/**
 * Lets programs in to the MCP endpoint by OAuth 2.1: a person agrees, the program gets a code, and for
 * the code tokens of a session of its own, which the person can end like any other.
 */
export const createAuthorizationService = (
  surroundings: AskingSurroundings & GrantingSurroundings,
) => ({
  ...createAsking(surroundings),
  ...createGranting(surroundings),

  /** Ends what programs were let in for by somebody in an organization, and what they are about to be. */
  endIn: endGrantsIn,
})
