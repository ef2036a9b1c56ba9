import { ApiFailure, type Client } from '../../shared/client.ts'
import { getUsage } from '../../shared/contract/usage.ts'
import { METRIC_ROWS } from '../../shared/tiers.ts'
import { type Context, signedInClient } from '../context.ts'
import type { CliFeature, UsagePart } from '../feature.ts'
import { features } from '../features.ts'
import { printFields, printList } from '../list.ts'

/** A feature that the server has turned off is not found there. */
const readPart = async ({ usage }: CliFeature, client: Client): Promise<UsagePart> => {
  const nothing = { fields: {}, lines: {} }
  if (!usage) return nothing
  return usage(client).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.status === 404) return nothing
    throw error
  })
}

/** Prints the usage and quotas of this month, and the credits. */
export const runUsage = async (context: Context): Promise<void> => {
  const client = signedInClient(context)
  const [usage, ...parts] = await Promise.all([
    client.call(getUsage),
    ...features.map((feature) => readPart(feature, client)),
  ])
  const added: UsagePart['fields'] = Object.assign({}, ...parts.map(({ fields }) => fields))
  const lines: UsagePart['lines'] = Object.assign({}, ...parts.map(({ lines }) => lines))
  if (context.json) return context.io.printJson({ ...usage, ...added })
  printFields(context, usage, {
    tier: usage.tier,
    resets: usage.period_end.slice(0, 10),
    ...lines,
  })
  await printList(context, {
    items: METRIC_ROWS.map(({ name, label }) => ({ label, ...usage.usage[name] })),
    columns: {
      QUOTA: ({ label }) => label,
      USED: ({ used }) => used,
      LIMIT: ({ limit }) => limit ?? 'none',
      LEFT: ({ remaining }) => remaining ?? 'unlimited',
    },
    empty: '',
  })
}
