import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { ApiFailure, Unreachable } from '../../../shared/client.ts'
import { me } from '../../../shared/contract/sessions.ts'
import {
  type ClientName,
  ENTRY_NAME,
  type McpClient,
  mcpClients,
} from '../../../shared/mcp-clients.ts'
import { unauthorizedHint } from '../../api-errors.ts'
import { readPause } from '../../assistants/pause.ts'
import { openSpool } from '../../assistants/spool.ts'
import type { CliEnvironment } from '../../config.ts'
import { type Context, createContext, signedInClient } from '../../context.ts'
import { openCredentials } from '../../credentials.ts'
import { CliError } from '../../errors.ts'
import { findCommand, nameCommand } from '../../executable.ts'
import { formatMinute } from '../../format.ts'
import { oneLine } from '../../output.ts'
import type { Invocation } from '../../parse/define.ts'
import type { Runtime } from '../../runtime.ts'
import { openProfilesFile } from '../../settings.ts'
import { installedClients, settingsPath } from '../mcp/clients.ts'
import { type Check, failed, ok, warning } from './check.ts'
import { checkServer } from './server.ts'

const NAME_WIDTH = 13

const marks = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' } as const

/**
 * Checks everything that svc needs, and prints a fix for each problem.
 * `--server` leaves out the files, the credential and the assistants of this machine.
 */
export const runDoctor = async (
  invocation: Invocation,
  { server: isServerOnly = false }: { server?: boolean },
): Promise<void> => {
  const { io, options } = invocation
  io.spin('Checking …')
  const checks = isServerOnly
    ? await checkServer(createContext(options, invocation.environment, io))
    : await checkAll(invocation)
  const failures = checks.filter(({ state }) => state === 'failed')
  if (options.json) io.printJson({ ok: failures.length === 0, checks })
  else io.print(nameCommand(checks.map(formatCheck).join('\n'), io.runtime))
  if (failures.length)
    throw new CliError(
      failures.length === 1 ? '1 check failed.' : `${failures.length} checks failed.`,
      'Apply the fixes above, then run again: svc doctor',
    )
}

const checkAll = async (invocation: Invocation): Promise<Check[]> => {
  // First, because createContext reads the files, which repairs their modes.
  const files = checkFiles(invocation.environment)
  const context = openContext(invocation)
  return [
    ...files,
    ...('state' in context ? [context] : await checkServerAndCredential(context)),
    ...(await checkClients(invocation)),
    ...checkSpool(invocation),
  ]
}

/** Damaged files and invalid settings are failed checks here. */
const openContext = ({ io, environment, options }: Invocation): Context | Check => {
  try {
    return createContext(options, environment, io)
  } catch (error) {
    if (error instanceof CliError) return failed('context', error.message, error.hint)
    throw error
  }
}

const checkServerAndCredential = async (context: Context): Promise<Check[]> => {
  const server = await checkServer(context)
  const answers = server.some(({ name, state }) => name === 'server' && state === 'ok')
  return [...server, ...(answers || !context.credential ? await checkCredential(context) : [])]
}

const formatCheck = ({ name, state, message, next }: Check): string =>
  [
    `${marks[state]}  ${name.padEnd(NAME_WIDTH)}${oneLine(message)}`,
    ...(next ? [`${' '.repeat(6 + NAME_WIDTH)}${oneLine(next)}`] : []),
  ].join('\n')

/** Checks that the server accepts the credential. */
const checkCredential = async (context: Context): Promise<Check[]> => {
  const { credential } = context
  try {
    const caller = await signedInClient(context).call(me)
    const source = `${credential?.source.kind} ${credential?.source.name}`
    const signed = ok('credential', `${oneLine(caller.email)}, from ${source}`)
    return caller.email_verified ? [signed] : [signed, unverifiedWarning(context.url)]
  } catch (error) {
    if (error instanceof CliError) return [failed('credential', error.message, error.hint)]
    if (error instanceof Unreachable) return []
    if (!(error instanceof ApiFailure)) throw error
    const message = `The server rejected the credential: ${oneLine(error.message)}`
    return [failed('credential', message, unauthorizedHint(context))]
  }
}

const unverifiedWarning = (url: string) =>
  warning(
    'email',
    'The email address is not verified, which svc chat requires',
    `Open the link in the verification email. To send it again, open ${url}/app/settings/email, or run: svc verify --resend`,
  )

/** Checks that the files of svc are readable, and only by their owner. */
const checkFiles = ({ configDir }: CliEnvironment): Check[] => [
  checkDirectory(configDir),
  checkFile('credentials', join(configDir, 'credentials.json'), () =>
    openCredentials(configDir).list(),
  ),
  checkFile('settings', join(configDir, 'config.json'), () => openProfilesFile(configDir).read()),
]

const checkDirectory = (dir: string): Check => {
  if (!existsSync(dir)) return ok('directory', `${dir} does not exist yet; svc login creates it`)
  const { mode } = statSync(dir)
  if (mode & 0o077 && process.platform !== 'win32')
    return warning('directory', `${dir} is accessible to other users`, `Run: chmod 700 ${dir}`)
  return ok('directory', dir)
}

const checkFile = (name: string, path: string, read: () => unknown): Check => {
  if (!existsSync(path)) return ok(name, `${path} does not exist yet`)
  // Reading the file repairs its mode, but other users may have read the key before.
  const wasOpen = statSync(path).mode & 0o077 && process.platform !== 'win32'
  try {
    read()
  } catch (error) {
    if (error instanceof CliError) return failed(name, error.message, error.hint)
    throw error
  }
  return wasOpen
    ? warning(
        name,
        `${path} was readable by other users`,
        'It is private again. If others may have read it, create new keys.',
      )
    : ok(name, path)
}

/** Checks which MCP clients are installed, and whether svc is configured in them. */
const checkClients = async (invocation: Invocation): Promise<Check[]> => {
  const found: Check[] = []
  const { environment: machine, io } = invocation
  for (const name of installedClients('user', machine)) {
    const path = settingsPath(mcpClients[name], 'user', machine)
    if (path) found.push(await checkClient(name, path, io.runtime))
  }
  return found
}

const checkClient = async (name: ClientName, path: string, runtime: Runtime): Promise<Check> => {
  const client = mcpClients[name]
  const install = `Run: svc mcp install --client ${name}`
  try {
    const command = await readServerCommand(
      client,
      existsSync(path) ? readFileSync(path, 'utf8') : '',
    )
    if (command === undefined)
      return ok('mcp', `${client.title}: svc is not configured. ${install}`)
    const isThere =
      command === '' || (isAbsolute(command) ? existsSync(command) : findCommand(command, runtime))
    if (isThere) return ok('mcp', `${client.title}: svc is configured`)
    return warning('mcp', `${client.title}: the command ${command} does not exist`, install)
  } catch {
    return warning(
      'mcp',
      `${client.title}: cannot read the settings in ${path}`,
      'Repair the file.',
    )
  }
}

/** The configured command: undefined without an entry, empty for an entry with a URL. */
const readServerCommand = async ({ format, table }: McpClient, text: string) => {
  const { parse } = await (format === 'toml' ? import('../mcp/toml.ts') : import('../mcp/jsonc.ts'))
  const settings = parse(text) as Record<string, Record<string, { command?: string | string[] }>>
  const entry = settings[table]?.[ENTRY_NAME]
  return entry && ([entry.command].flat()[0] ?? '')
}

/** Checks the turns of assistants that wait or were refused, and the pause. */
const checkSpool = ({ environment, io }: Invocation): Check[] => {
  const spool = openSpool(environment.configDir)
  const waiting = spool.names().length
  const refused = spool.refused().length
  const pause = readPause(environment.configDir, io.runtime.clock.now())
  const until = pause?.until ? ` until ${formatMinute(pause.until)}` : ''
  return [
    ...(spool.isFull()
      ? [warning('spool', 'The spool is full: new turns are not kept', 'Run: svc spool')]
      : []),
    ...(refused
      ? [warning('spool', `The server refused turns of assistants: ${refused}`, 'Run: svc spool')]
      : []),
    waiting
      ? warning('spool', `Turns of assistants that wait: ${waiting}`, 'Run: svc spool')
      : ok('spool', 'No turns of assistants wait'),
    ...(pause ? [warning('pause', `Assistants are paused${until}`, 'Run: svc resume')] : []),
  ]
}
