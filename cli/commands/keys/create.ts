import { createKey } from '../../../shared/contract/keys.ts'
import type { Context } from '../../context.ts'
import { given } from '../../given.ts'
import { organizationId } from '../../organization.ts'
import { oneLine } from '../../output.ts'
import { withSession } from '../../session.ts'

export interface CreateKeyArgs {
  name: string
  expiresAt?: string
}

/** Makes an API key; it alone goes to stdout, so that it can be piped to where it is kept. */
export const create = async (context: Context, args: CreateKeyArgs): Promise<void> => {
  const client = await withSession(context)
  const key = await client.call(createKey, {
    body: {
      name: args.name,
      ...given({ expires_at: args.expiresAt, org_id: await organizationId(context, client) }),
    },
  })
  if (context.json) context.io.printJson(key)
  else context.io.print(oneLine(key.key))
  const end = key.expires_at ? `; it ends ${key.expires_at}` : ''
  context.io.note(`Made the key ${oneLine(key.name)}, id ${key.id}${end}. It is shown this once.`)
}
