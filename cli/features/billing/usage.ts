import type { Client } from '../../../shared/client.ts'
import { getBalance } from '../../../shared/contract/billing.ts'
import type { UsagePart } from '../../feature.ts'

/** Reads the credits. */
export const readUsage = async (client: Client): Promise<UsagePart> => {
  const balance = await client.call(getBalance)
  const { balance_credits, balance_usd } = balance
  return {
    fields: balance,
    lines: { credits: `${balance_credits} (${balance_usd.toFixed(2)} USD)` },
  }
}
