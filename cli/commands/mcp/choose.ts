import { type ClientName, type InstallScope, mcpClients } from '../../../shared/mcp-clients.ts'
import type { Context } from '../../context.ts'
import { CliError, usageError } from '../../errors.ts'
import { ask, canAsk } from '../../input.ts'
import { installedClients } from './clients.ts'

const HINT = 'Name one, such as: svc mcp install --client claude-code'

/**
 * Asks at the terminal which of the installed clients to configure.
 * @returns undefined if the user chooses none. @throws CliError without a client or a terminal.
 */
export const chooseClient = async (
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
