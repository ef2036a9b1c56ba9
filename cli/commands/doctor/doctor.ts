import { type Context, createContext } from '../../context.ts'
import { CliError } from '../../errors.ts'
import { oneLine } from '../../output.ts'
import type { Bare } from '../../parse/run.ts'
import { type Check, failed } from './check.ts'
import { checkCredential } from './credential.ts'
import { checkFiles } from './files.ts'
import { checkClients } from './mcp.ts'
import { checkServer } from './server.ts'

const NAME_WIDTH = 13

const marks = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' } as const

/** Looks at everything that svc needs, and says what to do where something is wrong. */
export const doctor = async ({ io, environment, options }: Bare): Promise<void> => {
  io.wait('Looking …')
  const context = contextOf({ io, environment, options })
  const checks = [
    ...checkFiles(environment),
    ...('state' in context ? [context] : await checkThere(context)),
    ...(await checkClients(environment)),
  ]
  const wrong = checks.filter(({ state }) => state === 'failed')
  if (options.json) io.printJson({ ok: wrong.length === 0, checks })
  else io.print(checks.map(line).join('\n'))
  if (wrong.length)
    throw new CliError(
      wrong.length === 1 ? 'One thing is wrong.' : `${wrong.length} things are wrong.`,
      'Do what it says there, and run svc doctor again.',
    )
}

/** Damaged files and wrong settings are a finding here. */
const contextOf = ({ io, environment, options }: Bare): Context | Check => {
  try {
    return createContext(options, environment, io)
  } catch (error) {
    if (error instanceof CliError) return failed('context', error.message, error.next)
    throw error
  }
}

const checkThere = async (context: Context): Promise<Check[]> => {
  const server = await checkServer(context)
  const answers = server.some(({ name, state }) => name === 'server' && state === 'ok')
  return [...server, ...(answers || !context.credential ? await checkCredential(context) : [])]
}

const line = ({ name, state, message, next }: Check): string =>
  [
    `${marks[state]}  ${name.padEnd(NAME_WIDTH)}${oneLine(message)}`,
    ...(next ? [`${' '.repeat(6 + NAME_WIDTH)}${oneLine(next)}`] : []),
  ].join('\n')
