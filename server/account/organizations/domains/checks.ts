import type { Database } from '../../../platform/db/database.ts'
import type { LookUpText } from '../../../platform/dns.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import { recordOrgChange } from '../rights.ts'
import { listMembers, lockOrg } from '../store.ts'
import { recordValue } from './service.ts'
import { endMissingDomain, listDueDomains, recordCheck } from './store.ts'
import type { OrgDomainRow } from './table.ts'

/** Each domain is due once a day. */
const HOURLY = '37 * * * *'
/** How long the record of a verified domain may be missing. */
const MISSING_DAYS = 7
const AT_ONCE = 10

interface DomainCheckDeps {
  database: Database
  jobs: Pick<Jobs, 'repeat' | 'send'>
  lookUpText: LookUpText
}

/** Looks for the records of verified domains, and ends those without one. */
export const startDomainChecks = async ({
  database: { background },
  jobs,
  lookUpText,
}: DomainCheckDeps): Promise<void> => {
  const { db } = background

  const store = (domain: OrgDomainRow, found: boolean | undefined): Promise<void> =>
    db.transaction(async (tx) => {
      const { orgId } = domain
      if (!(await lockOrg(tx, orgId))) return
      await recordCheck(tx, domain, found)
      if (found !== false || !(await endMissingDomain(tx, domain, MISSING_DAYS))) return
      const members = await listMembers(tx, orgId)
      const managers = members.flatMap(({ role, userId }) => (role === 'member' ? [] : [userId]))
      await recordOrgChange(tx, 'org.domain_ended', orgId, {
        concerns: managers,
        details: { domain: domain.domain, reason: 'record_missing' },
      })
    })

  const check = async (domain: OrgDomainRow): Promise<void> => {
    const records = await lookUpText(domain.domain)
    await store(domain, records?.includes(recordValue(domain)))
  }

  const kind: JobKind<object> = {
    name: 'organization-domains',
    retries: 2,
    keyOf: () => 'all',
    async run() {
      let failed: PromiseRejectedResult | undefined
      for (let isMore = true; isMore; ) {
        const due = await listDueDomains(db, AT_ONCE)
        const checks = await Promise.allSettled(due.map(check))
        failed ??= checks.find((each) => each.status === 'rejected')
        isMore = due.length === AT_ONCE && checks.some(({ status }) => status === 'fulfilled')
      }
      // The job is repeated for those that were not stored.
      if (failed) throw failed.reason
    },
  }
  jobs.repeat(kind, {}, HOURLY)
  // Servers that never run at that minute must check them too.
  if ((await listDueDomains(db, 1)).length > 0) await jobs.send(kind, {})
}
