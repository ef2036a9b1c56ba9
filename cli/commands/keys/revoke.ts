import { ApiFailure, type Client } from '../../../shared/client.ts'
import { listKeys, revokeKey } from '../../../shared/contract/keys.ts'
import type { ApiKey } from '../../../shared/schemas/keys.ts'
import type { Context } from '../../context.ts'
import { CliError, usageError } from '../../errors.ts'
import { confirm } from '../../input.ts'
import { oneLine } from '../../output.ts'
import { sessionClient } from '../../session.ts'
import { resolveId } from '../../short-id.ts'
import { keyIds } from './ids.ts'

export interface RevokeKeyArgs {
  id: string
  yes?: boolean
}

/** Revokes a key after confirmation. */
export const runKeysRevoke = async (
  context: Context,
  { id, yes }: RevokeKeyArgs,
): Promise<void> => {
  const { io } = context
  const canAsk = io.stdinIsTerminal && io.stderrIsTerminal
  if (!yes && !canAsk)
    throw usageError(
      'Revoking a key cannot be undone, and there is no terminal to confirm it.',
      `Run: svc keys revoke ${id} --yes`,
    )
  const client = await sessionClient(context)
  const key = await findKey(client, id)
  const title = `${oneLine(key.name)} (${key.key_prefix}…)`
  if (!yes && !(await confirm(`Revoke the key ${title}?`))) return io.info('No key was revoked.')
  await client.call(revokeKey, { params: { key_id: key.id } }).catch((cause) => {
    throw cause instanceof ApiFailure && cause.status === 404 ? unknownKeyError(id, cause) : cause
  })
  if (context.json) io.printJson({ id: key.id, name: key.name, revoked: true })
  io.info(`Revoked the key ${title}.`)
}

const findKey = async (client: Client, typed: string): Promise<ApiKey> => {
  const id = await resolveId(typed, keyIds(client))
  const keys = await client.call(listKeys)
  const key = keys.find((each) => each.id === id)
  if (!key) throw unknownKeyError(id)
  return key
}

const unknownKeyError = (id: string, cause?: unknown) =>
  new CliError(`No API key with the ID ${oneLine(id)}.`, 'Run: svc keys list', { cause })
