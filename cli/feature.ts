import type { Command } from 'commander'
import type { Client } from '../shared/client.ts'
import type { OptionalFeatureName } from '../shared/features.ts'
import type { Context } from './context.ts'
import type { IdList, Kind } from './ids.ts'
import type { RunWithContext } from './parse/define.ts'

/** The part of `svc status` that a feature tells. */
export interface StatusPart {
  fields: Record<string, unknown>
  /** The fields as a person reads them. */
  lines: Record<string, string | undefined>
  /** Commands that do something about them. */
  hints: string[]
}

/** The lines of a feature in the usage of this month. */
export type UsagePart = Pick<StatusPart, 'fields' | 'lines'>

/**
 * The commands of an optional feature of the server; `features.ts` lists all. It is read on every start: what
 * a command runs is imported when it runs.
 */
export interface CliFeature {
  name: OptionalFeatureName
  /** Adds its commands to svc, below the group that the help has at this place. */
  commands?(program: Command, run: RunWithContext): void
  /** Adds its commands to `svc orgs`. */
  organizationCommands?(orgs: Command, run: RunWithContext): void
  /** Adds its commands to `svc admin`. */
  adminCommands?(admin: Command, run: RunWithContext): void
  /** The ids that complete in the shell, as `idLists` names them. */
  ids?: Record<string, (context: Context) => Promise<IdList>>
  /** The part of `svc usage` that it tells. */
  usage?(client: Client): Promise<UsagePart>
  status?: {
    /** The names of its fields, which are null for a user who is not verified. */
    fields: readonly string[]
    read(client: Client): Promise<StatusPart>
  }
}

/** The ids of a kind. */
export const idsOf = async <T>(context: Context, kind: Kind<T>): Promise<IdList> => {
  const { signedInClient } = await import('./context.ts')
  return (await import('./ids.ts')).idList(kind, signedInClient(context))
}

/** The names of a kind, which depends on what is typed. */
export const namesOf = async <T>(
  context: Context,
  kindFor: (typed: string) => Kind<T>,
): Promise<IdList> => {
  const { signedInClient } = await import('./context.ts')
  return (await import('./ids.ts')).nameList(kindFor, signedInClient(context))
}
