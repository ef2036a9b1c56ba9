import {
  type ClientName,
  ENTRY_NAME,
  type InstallScope,
  type McpClient,
  mcpClients,
  type ServerEntry,
} from '../../../shared/mcp-clients.ts'
import { settingsText } from '../../../shared/mcp-settings.ts'
import { type Context, loginCommand } from '../../context.ts'
import { CliError, usageError } from '../../errors.ts'
import { ask, canAsk } from '../../input.ts'
import type { Io } from '../../output.ts'
import { installedClients, settingsPath } from './clients.ts'
import { formatDiff } from './diff.ts'
import { entryOf } from './entry.ts'
import { mergeEntry } from './merge.ts'
import { readSettingsFile, replaceSettingsFile } from './settings-file.ts'
import { SettingsFileError } from './settings-format.ts'

interface InstallArgs {
  /** Default: asked at the terminal. */
  client?: ClientName
  scope: InstallScope
  http?: boolean
  dryRun?: boolean
}

/** Adds svc to the settings of a client, and asks which if none is named. */
export const runMcpInstall = async (context: Context, args: InstallArgs): Promise<void> => {
  const client = args.client ?? (await chooseClient(context, args.scope))
  if (client) await install(context, { ...args, client })
  else context.io.info('Nothing was changed.')
}

type NamedArgs = InstallArgs & { client: ClientName }

/** No key is written, because svc reads it at startup. */
const install = async (context: Context, args: NamedArgs): Promise<void> => {
  const { io } = context
  const client: McpClient = mcpClients[args.client]
  io.willPrint(['client', 'scope', 'path', 'changed', 'entry', 'backup', 'dry_run'])
  const path = fileOf(client, args, context)
  const entry = entryOf(args.client, args, context)
  const before = await readSettingsFile(path)
  const after = await mergeEntry(before ?? '', client, entry).catch(async (cause) => {
    if (!(cause instanceof SettingsFileError)) throw cause
    throw new CliError(
      `${path} was not changed: ${cause.message}.`,
      manualInstructions(client, entry),
      { cause },
    )
  })
  const changed = after !== before
  const write = changed && !args.dryRun
  const backup = write ? (await replaceSettingsFile(path, before, after)).backup : undefined
  if (context.json)
    io.printJson({
      client: args.client,
      scope: args.scope,
      path,
      changed,
      entry,
      backup: backup ?? null,
      dry_run: args.dryRun ?? false,
    })
  else if (args.dryRun && changed) io.print(formatDiff(before ?? '', after))
  else io.print(path)
  io.info(describeOutcome(client, { changed, written: write, backup, path }))
  if (write) adviseSignIn(context, args, io)
}

/** Instructions for adding the entry manually. */
const manualInstructions = (client: McpClient, entry: ServerEntry): string =>
  client.format === 'toml'
    ? `Repair the file, or add this to it manually:\n${settingsText(client, entry)}`
    : `Repair the file, or add this to ${client.table} manually: ${JSON.stringify({ [ENTRY_NAME]: entry })}`

const fileOf = (client: McpClient, { scope, client: name }: NamedArgs, context: Context) => {
  const path = settingsPath(client, scope, context.environment)
  if (path) return path
  throw usageError(
    `${client.title} does not support project settings.`,
    `Run: svc mcp install --client ${name}`,
  )
}

const describeOutcome = (
  { title }: McpClient,
  {
    changed,
    written,
    backup,
    path,
  }: { changed: boolean; written: boolean; backup: string | undefined; path: string },
): string => {
  if (!changed) return `svc is already configured in ${title}.`
  if (!written) return `Dry run: these are the changes to ${path}`
  return `Added svc to ${title}. Restart it.${backup ? ` Backup: ${backup}` : ''}`
}

export const adviseSignIn = (context: Context, { http }: { http?: boolean }, io: Io): void => {
  const login = loginCommand(context)
  if (http) return
  if (context.environment.apiKey)
    io.info(
      `SVC_API_KEY was not written to the settings. Set it for the client too, or run: ${login}`,
    )
  else if (!context.credential) io.info(`The assistant needs a sign-in. Run: ${login}`)
}

const HINT = 'Name one, such as: svc mcp install --client claude-code'

/**
 * Asks at the terminal which of the installed clients to configure.
 * @returns undefined if the user chooses none. @throws CliError without a client or a terminal.
 */
const chooseClient = async (
  { io, environment }: Context,
  scope: InstallScope,
): Promise<ClientName | undefined> => {
  const names = installedClients(scope, environment)
  if (names.length === 0)
    throw new CliError('No assistant that svc can configure was found on this machine.', HINT)
  if (!canAsk(io))
    throw usageError(
      `Found ${names.map(titleOf).join(', ')}, but there is no terminal to choose one.`,
      `Run: ${names.map((name) => `svc mcp install --client ${name}`).join(', or: ')}`,
    )
  io.message(names.map((name, i) => `  ${i + 1}  ${titleOf(name)}`).join('\n'))
  const answer = (
    await ask(
      `Add svc to which assistant? [${names.length === 1 ? 1 : `1-${names.length}`}] `,
      io.runtime,
    )
  ).trim()
  const chosen = names[Number(answer) - 1] ?? names.find((name) => name === answer.toLowerCase())
  if (answer && !chosen) throw usageError('There is no assistant with this number.', HINT)
  return chosen
}

const titleOf = (name: ClientName): string => mcpClients[name].title
