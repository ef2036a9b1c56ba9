import { type ClientName, type InstallScope, mcpClients } from '../../../shared/mcp-clients.ts'
import { type AssistantName, isAssistantName } from '../../assistants/clients.ts'
import { commandLine } from '../../command-line.ts'
import type { Context } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { canAsk, confirm } from '../../input.ts'
import { formatDiff } from '../mcp/diff.ts'
import { adviseSignIn } from '../mcp/install.ts'
import {
  type ConnectPart,
  type FileChange,
  partsOf,
  planConnect,
  planDisconnect,
} from './changes.ts'
import {
  type ConnectionStore,
  openConnections,
  withOriginal,
  writeConnected,
  writeDisconnected,
} from './connections.ts'
import { findDisabling } from './disabled.ts'
import { listConnections } from './list.ts'

export interface ConnectArgs {
  /** Default: the assistants of this machine are listed. */
  client?: ClientName
  only?: ConnectPart
  project?: boolean
  dryRun?: boolean
  yes?: boolean
}

type NamedArgs = ConnectArgs & { client: ClientName }

/** Adds svc to an assistant: the MCP server and the hooks. */
export const runConnect = async (context: Context, args: ConnectArgs): Promise<void> => {
  const { client } = args
  if (!client) return listConnections(context, scopeOf(args))
  const named = { ...args, client }
  const files = await planConnect(context, selectionOf(named))
  const outcome = await changeFiles(context, named, {
    words: 'connect',
    files,
    write: writeConnected,
  })
  const { io } = context
  if (outcome === 'unchanged') io.info(`svc is already connected to ${titleOf(client)}.`)
  if (outcome === 'changed') io.info(`Connected svc to ${titleOf(client)}. Restart it.`)
  if (outcome === 'refused') return
  advise(context, named, outcome === 'changed')
  if (args.only === 'mcp') return
  const disabling = await findDisabling(context, { client, scope: scopeOf(args) })
  if (disabling)
    io.message(
      `Hooks are off in ${titleOf(client)}, by ${disabling.setting} in ${disabling.path}. To remember, turn them on.`,
    )
}

/** Steps that only the user can do, and limits of the hooks. */
const notes: Partial<Record<AssistantName, string>> = {
  codex:
    'Codex runs new hooks after you trust them. Start codex, enter /hooks and trust those of svc.',
  cursor:
    'The hooks of Cursor add context at the start of a session only. Within it, the model asks svc by its tools.',
  vscode:
    'The hooks of VS Code add context at the start of a session only. Within it, the model asks svc by its tools.',
}

/** Assistants whose transcripts `svc import --from` reads. */
const importable: readonly ClientName[] = ['codex', 'claude-code', 'opencode', 'gemini-cli']

/** Says what is left to do after `svc connect`. */
const advise = (context: Context, args: NamedArgs, isNew: boolean): void => {
  const { io, environment } = context
  const { client, only } = args
  const { title } = mcpClients[client]
  const hasHooks = isAssistantName(client) && only !== 'mcp'
  const note = hasHooks ? notes[client] : undefined
  if (note) io.info(note)
  if (!isAssistantName(client))
    io.info(
      `${title} has no hooks that can run svc: it remembers when the model calls a tool of svc.`,
    )
  if (hasHooks && environment.platform === 'win32' && environment.explicitConfigDir)
    io.info(`Set SVC_CONFIG_DIR for ${title} too.`)
  if (!args.dryRun) adviseSignIn(context, {}, io)
  if (isNew && hasHooks && importable.includes(client))
    io.info(
      `To import the conversations that ${title} has kept, run: ${commandLine(context, ['import'], { from: client })}`,
    )
}

/** Removes svc from an assistant. The memories stay. */
export const runDisconnect = async (context: Context, args: NamedArgs): Promise<void> => {
  const store = openConnections(context.environment.configDir)
  const plan = await planDisconnect(context, selectionOf(args))
  const files = await Promise.all(plan.map((file) => withOriginal(file, store)))
  // In the opposite order of `svc connect`, so that its directories are empty at the end.
  files.reverse()
  const outcome = await changeFiles(context, args, {
    words: 'disconnect',
    files,
    write: writeDisconnected,
  })
  const { io } = context
  if (outcome === 'unchanged') io.info(`svc is not connected to ${titleOf(args.client)}.`)
  if (outcome === 'changed')
    io.info(
      `Removed ${removed(args)} from ${titleOf(args.client)}. Restart it. Your memories stay.`,
    )
}

const removed = ({ only }: ConnectArgs): string => {
  if (only === undefined) return 'svc'
  return only === 'mcp' ? 'the MCP server of svc' : 'the hooks of svc'
}

const titleOf = (client: ClientName): string => mcpClients[client].title

const scopeOf = ({ project }: ConnectArgs): InstallScope => (project ? 'project' : 'user')

const selectionOf = (args: NamedArgs) => ({
  client: args.client,
  scope: scopeOf(args),
  parts: args.only ? [args.only] : partsOf(args.client),
})

interface Work {
  words: 'connect' | 'disconnect'
  files: FileChange[]
  write: (file: FileChange, store: ConnectionStore) => Promise<string | undefined>
}

type Outcome = 'changed' | 'unchanged' | 'refused' | 'dry run'

/** Shows the changes, asks, and makes them. */
const changeFiles = async (
  context: Context,
  args: NamedArgs,
  { words, files, write }: Work,
): Promise<Outcome> => {
  context.io.willPrint(['client', 'scope', 'files', 'dry_run'])
  const changes = files.filter(({ before, after }) => before !== after)
  const outcome = await decide(context, args, words, changes)
  const written = new Map<string, string | undefined>()
  if (outcome === 'changed') {
    const store = openConnections(context.environment.configDir)
    for (const change of changes) written.set(change.path, await write(change, store))
  }
  if (outcome !== 'refused') report(context, args, files, written)
  return outcome
}

const decide = async (
  context: Context,
  { client, only, project, yes, dryRun }: NamedArgs,
  word: string,
  changes: readonly FileChange[],
): Promise<Outcome> => {
  const { io } = context
  if (changes.length === 0) return 'unchanged'
  if (dryRun) return 'dry run'
  if (yes) return 'changed'
  if (!canAsk(io))
    throw usageError(
      'This requires a confirmation, and there is no terminal to ask.',
      `Run: ${commandLine(context, [word, client], { only, project, yes: true })}`,
    )
  for (const change of changes) io.message(`${change.path}\n${diffOf(change)}\n`)
  const question = changes.length === 1 ? 'Change this file?' : 'Change these files?'
  if (await confirm(question, io)) return 'changed'
  io.info('Nothing was changed.')
  return 'refused'
}

const diffOf = ({ before = '', after = '' }: FileChange): string => formatDiff(before, after)

const report = (
  { io, json }: Context,
  { client, dryRun = false, ...args }: NamedArgs,
  files: readonly FileChange[],
  written: ReadonlyMap<string, string | undefined>,
): void => {
  const entries = files.map((file) => ({
    path: file.path,
    parts: file.parts,
    changed: file.before !== file.after,
    backup: written.get(file.path) ?? null,
  }))
  if (json) {
    io.printJson({ client, scope: scopeOf(args), files: entries, dry_run: dryRun })
    return
  }
  for (const file of files) {
    io.print(file.path)
    if (dryRun && file.before !== file.after) io.print(diffOf(file))
  }
  if (dryRun && entries.some(({ changed }) => changed)) io.info('Dry run: nothing was changed.')
  for (const { path, backup } of entries) if (backup) io.info(`Backup of ${path}: ${backup}`)
}
