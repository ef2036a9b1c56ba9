import type { Invocation } from '../../parse/define.ts'
import { runOperation } from './operation.ts'

export const runAcceptSecret = async (invocation: Invocation): Promise<void> => {
  const { io, options } = invocation
  const accepted = await runOperation(invocation, ({ operations }) =>
    operations.acceptSecret(io.runtime.env),
  )
  if (options.json) return io.printJson({ accepted })
  io.info(
    accepted
      ? 'The database has the configured secret now. All users must sign in again, those with a second factor with a recovery code, and the secrets of webhooks must be created again.'
      : 'The database already has the configured secret.',
  )
}
