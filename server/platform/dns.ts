import { Resolver } from 'node:dns/promises'
import { budgets } from './budgets.ts'

export interface DnsOptions {
  /** Addresses with ports of the name servers; those of the system by default. */
  nameServers?: readonly string[]
}

/**
 * The strings of the text records of a name; undefined when the name servers gave no answer. Bun does not say
 * which strings are of one record: a text of up to 255 bytes is one string.
 */
export type LookUpText = (name: string) => Promise<string[] | undefined>

/** The name does not exist, or has no text record. */
const NO_RECORDS = new Set(['ENOTFOUND', 'ENODATA'])

/** Looks up text records (RFC 1035, section 3.3.14). A CNAME is followed. */
export const createTextLookUp =
  ({ nameServers }: DnsOptions = {}): LookUpText =>
  async (name) => {
    const resolver = new Resolver({ timeout: budgets.dns.ms / 4, tries: 2 })
    if (nameServers) resolver.setServers(nameServers)
    // Cancelling alone need not settle the lookup.
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      resolver.cancel()
      reject(new Error('the name servers are too slow'))
    }, budgets.dns.ms)
    try {
      return (await Promise.race([resolver.resolveTxt(name), late])).flat()
    } catch (error) {
      return NO_RECORDS.has(String((error as NodeJS.ErrnoException).code)) ? [] : undefined
    } finally {
      clearTimeout(timer)
    }
  }
