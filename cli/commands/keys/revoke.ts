import { ApiFailure } from '../../../shared/client.ts'
import { revokeKey } from '../../../shared/contract/keys.ts'
import type { Context } from '../../context.ts'
import { CliError } from '../../errors.ts'
import { withSession } from '../../session.ts'

export const revoke = async (context: Context, { id }: { id: string }): Promise<void> => {
  const client = await withSession(context)
  await client.call(revokeKey, { params: { key_id: id } }).catch((cause) => {
    if (!(cause instanceof ApiFailure && [403, 404, 422].includes(cause.status))) throw cause
    throw new CliError(`You have no API key with the id ${id}.`, 'Run: svc keys list', { cause })
  })
  if (context.json) context.io.printJson({ id, revoked: true })
  context.io.note(`Revoked the key ${id}.`)
}
