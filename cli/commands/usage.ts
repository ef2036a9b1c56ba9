import { getBalance, getUsage } from '../../shared/contract/billing.ts'
import { METRIC_ROWS } from '../../shared/tiers.ts'
import { type Context, signedInClient } from '../context.ts'
import { printFields, printList } from '../list.ts'

/** Prints the usage and quotas of this month, and the credits. */
export const runUsage = async (context: Context): Promise<void> => {
  const client = signedInClient(context)
  const [usage, balance] = await Promise.all([client.call(getUsage), client.call(getBalance)])
  if (context.json) return context.io.printJson({ ...usage, ...balance })
  printFields(context, usage, {
    tier: usage.tier,
    resets: usage.period_end.slice(0, 10),
    credits: `${balance.balance_credits} (${balance.balance_usd.toFixed(2)} USD)`,
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
