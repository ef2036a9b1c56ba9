import { type Context, createContext } from '../../context.ts'
import { CliError } from '../../errors.ts'
import { nameCommand } from '../../executable.ts'
import { oneLine } from '../../output.ts'
import type { Invocation } from '../../parse/define.ts'
import { checkSpool } from './assistants.ts'
import { type Check, failed } from './check.ts'
import { checkCredential } from './credential.ts'
import { checkFiles } from './files.ts'
import { checkClients } from './mcp.ts'
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
