import type { Core, Ending } from '../feature.ts'

/** The dependencies of the groups of accounts. */
export type AccountDeps = Core

/** Ends one kind of thing that the person before left in an account. */
export type EndOfAccount = Ending<string>
