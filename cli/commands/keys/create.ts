import { createKey } from '../../../shared/contract/keys.ts'
import type { Context } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { resolveOrganizationId } from '../../organization.ts'
import { oneLine } from '../../output.ts'
import { sessionClient } from '../../session.ts'

interface CreateKeyArgs {
  name: string
  expiresAt?: string
}

/** Creates an API key. Only the key goes to stdout, so that it can be piped into a file. */
export const runKeysCreate = async (context: Context, args: CreateKeyArgs): Promise<void> => {
  const client = await sessionClient(context)
  const key = await client.call(createKey, {
    body: {
      name: args.name,
      ...definedFields({
        expires_at: args.expiresAt,
        org_id: await resolveOrganizationId(context, client),
      }),
    },
  })
  if (context.json) context.io.printJson(key)
  else context.io.print(oneLine(key.key))
  const expiry = key.expires_at ? `, expires ${key.expires_at}` : ''
  context.io.info(
    `Created the key ${oneLine(key.name)} (ID ${key.id}${expiry}). It is shown only once.`,
  )
}
