import { join } from 'node:path'
import { DEFAULT_PROFILE } from '../../accepted.ts'
import { type Context, loginCommand } from '../../context.ts'
import { CliError, usageError } from '../../errors.ts'
import { isExecutable } from '../../executable.ts'
import type { Io } from '../../output.ts'
import { Unreadable } from './change.ts'
import {
  type ClientName,
  clients,
  type McpClient,
  type Scope,
  thisMachine,
  type Way,
} from './clients.ts'
import { merge } from './merge.ts'
import { difference, readSettings, replaceSettings } from './settings-file.ts'

export interface InstallArgs {
  client: ClientName
  scope: Scope
  http?: boolean
  dryRun?: boolean
}

/** Tells a client of svc, in its own settings. No key is written: svc finds it when it is started. */
export const install = async (context: Context, args: InstallArgs): Promise<void> => {
  const { io } = context
  const client: McpClient = clients[args.client]
  const path = fileOf(client, args, context)
  const entry = entryOf(client, args, context)
  const before = await readSettings(path)
  const after = await merge(before ?? '', client, entry).catch((cause) => {
    if (!(cause instanceof Unreadable)) throw cause
    throw new CliError(
      `${path} was left as it is: ${cause.message}.`,
      `Mend the file, or add this to ${client.table} yourself: ${JSON.stringify({ svc: entry })}`,
      { cause },
    )
  })
  const changed = after !== before
  const write = changed && !args.dryRun
  const backup = write ? await replaceSettings(path, before, after) : undefined
  if (context.json)
    io.printJson({
      ...{ client: args.client, scope: args.scope, path, changed, entry },
      ...{ backup: backup ?? null, dry_run: args.dryRun ?? false },
    })
  else if (args.dryRun && changed) io.print(difference(before ?? '', after))
  else io.print(path)
  io.note(outcome(client, { changed, written: write, backup, path }))
  if (write) adviseSignIn(context, args, io)
}

const fileOf = (client: McpClient, { scope, client: name }: InstallArgs, context: Context) => {
  const path = client.file(scope, thisMachine(context.environment))
  if (path) return path
  throw usageError(
    `${client.title} has no settings of a project.`,
    `Run: svc mcp install --client ${name}`,
  )
}

const entryOf = (client: McpClient, args: InstallArgs, context: Context) => {
  const entry = client.entry(
    args.http ? { kind: 'http', url: `${context.url}/api/mcp` } : stdioWay(context, args.scope),
  )
  if (entry) return entry
  throw usageError(
    `${client.title} takes no address in its settings: add ${context.url}/api/mcp as a connector in it.`,
    `Or have it start svc: svc mcp install --client ${args.client}`,
  )
}

const stdioWay = (context: Context, scope: Scope): Way => {
  const { environment, profileName, from, url } = context
  const [command = '', ...self] = starter(scope)
  const isNamed = from.url === '--url' || from.url === 'SVC_URL'
  const profile = profileName === DEFAULT_PROFILE ? [] : ['--profile', profileName]
  const { givenConfigDir } = environment
  return {
    kind: 'stdio',
    command,
    args: [...self, 'mcp', 'run', ...profile, ...(isNamed ? ['--url', url] : [])],
    env: givenConfigDir ? { SVC_CONFIG_DIR: givenConfigDir } : {},
  }
}

/** The command that starts this very svc; in a project, which others share, its name if that is known. */
const starter = (scope: Scope): string[] => {
  if (scope === 'project' && Bun.which('svc')) return ['svc']
  return isExecutable()
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, '../../main.ts')]
}

const outcome = (
  { title }: McpClient,
  {
    changed,
    written,
    backup,
    path,
  }: { changed: boolean; written: boolean; backup: string | undefined; path: string },
): string => {
  if (!changed) return `${title} knows svc already.`
  if (!written) return `Nothing was written: this is what would change in ${path}`
  return `${title} knows svc now; restart it.${backup ? ` What was there before: ${backup}` : ''}`
}

const adviseSignIn = (context: Context, { http }: InstallArgs, io: Io) => {
  const login = loginCommand(context)
  if (http) return
  if (context.environment.apiKey)
    io.note(`SVC_API_KEY was not written: the client has to have it too, or run: ${login}`)
  else if (!context.credential) io.note(`It needs a sign-in to remember anything. Run: ${login}`)
}
