import {
  createOrgDomain,
  deleteOrgDomain,
  listOrgDomains,
  updateOrgDomain,
  verifyOrgDomain,
} from '../../../../shared/contract/index.ts'
import {
  type CreateOrgDomain,
  MAX_ORG_DOMAINS,
  type OrgDomain,
  type UpdateOrgDomain,
} from '../../../../shared/contract/organization-domains.ts'
import { type Database, type Db, isUniqueViolation } from '../../../platform/db/database.ts'
import type { LookUpText } from '../../../platform/dns.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { defineLimit, HOUR_SECONDS, type Limiter } from '../../../platform/http/limits.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { rowLimitError } from '../../../platform/row-limit.ts'
import { createSecret } from '../../../platform/secrets.ts'
import type { AuditAction } from '../../users/audit/store.ts'
import { emailProblem } from '../../users/email-address.ts'
import { checkCallerManages, checkManager, lockOrgAsMember, recordOrgAudit } from '../rights.ts'
import { domainOf } from './name.ts'
import {
  confirmDomain,
  countDomains,
  deleteDomain,
  findDomain,
  insertDomain,
  listDomains,
  updateDomain,
} from './store.ts'
import type { OrgDomainRow } from './table.ts'

const orgDomainError = defineErrors({
  org_domain_refused: (msg: string) => ({
    status: 422,
    detail: [{ loc: ['body', 'domain'], type: 'value_error', msg }],
  }),
  org_domain_not_found: { status: 404, detail: 'Domain not found' },
  org_domain_exists: { status: 409, detail: 'The organization has this domain already' },
  org_domain_record_missing: {
    status: 409,
    detail:
      'The DNS of the domain has no such TXT record yet. New records can take an hour until they are seen; then verify again',
  },
  org_domain_verified_elsewhere: {
    status: 409,
    detail: 'Another organization has verified this domain; remove it there first',
  },
  org_domain_lookup_failed: {
    status: 502,
    detail: 'The name servers of the domain did not answer. Try again later',
  },
})

export const domainChecksPerUser = defineLimit({
  name: 'domain_checks',
  per: 'user',
  points: 60,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many checks of domains',
})

/** The text of the record that verifies a domain. */
export const recordValue = ({ token }: Pick<OrgDomainRow, 'token'>): string =>
  `svc-domain-verification=${token}`

interface OrgDomainDeps {
  database: Database
  limiter: Limiter
  lookUpText: LookUpText
}

/** Lets owners and admins of an organization manage its email domains. All throw ApiError 403 for others. */
export type OrgDomainService = ReturnType<typeof createOrgDomainService>

export const createOrgDomainService = ({
  database: { db },
  limiter,
  lookUpText,
}: OrgDomainDeps) => {
  /** Changes a domain as an owner or admin, and records that. */
  const change = (
    caller: Caller,
    orgId: string,
    action: AuditAction,
    work: (tx: Db) => Promise<OrgDomainRow | undefined>,
  ): Promise<OrgDomain> =>
    db.transaction(async (tx) => {
      const { role } = await lockOrgAsMember(tx, caller, orgId)
      checkManager(role)
      const row = await work(tx)
      if (!row) throw orgDomainError('org_domain_not_found')
      const details = { domain: row.domain, joins: String(row.joins) }
      await recordOrgAudit(tx, action, orgId, { by: caller.userId, details })
      return present(row)
    })

  return {
    async list(caller: Caller, orgId: string): Promise<OrgDomain[]> {
      await checkCallerManages(db, caller, orgId)
      return (await listDomains(db, orgId)).map(present)
    },

    /** @throws ApiError 409 for one that exists or is too many, 422 for no domain and a public one. */
    async create(
      caller: Caller,
      orgId: string,
      { domain: text, joins }: CreateOrgDomain,
    ): Promise<OrgDomain> {
      await checkCallerManages(db, caller, orgId)
      const domain = await readDomain(text)
      return change(caller, orgId, 'org.domain_added', async (tx) => {
        if ((await countDomains(tx, orgId)) >= MAX_ORG_DOMAINS)
          throw rowLimitError('cap_reached', MAX_ORG_DOMAINS, 'domains of an organization')
        const id = Bun.randomUUIDv7()
        const row = await insertDomain(tx, { id, orgId, domain, joins, token: createSecret() })
        if (!row) throw orgDomainError('org_domain_exists')
        return row
      })
    },

    /**
     * Looks for the record of the domain.
     * @throws ApiError 404, 409 when there is none or another organization has verified the domain, 429 for
     * too many checks, 502 when the name servers do not answer.
     */
    async verify(caller: Caller, orgId: string, domainId: string): Promise<OrgDomain> {
      await checkCallerManages(db, caller, orgId)
      await limiter.consume(domainChecksPerUser, caller.userId)
      const row = await findDomain(db, orgId, domainId)
      if (!row) throw orgDomainError('org_domain_not_found')
      const records = await lookUpText(row.domain)
      if (!records) throw orgDomainError('org_domain_lookup_failed')
      if (!records.includes(recordValue(row))) throw orgDomainError('org_domain_record_missing')
      const confirmed = change(caller, orgId, 'org.domain_verified', (tx) =>
        confirmDomain(tx, orgId, domainId),
      )
      return confirmed.catch((error) => {
        throw isUniqueViolation(error) ? orgDomainError('org_domain_verified_elsewhere') : error
      })
    },

    /** @throws ApiError 404. */
    update: (
      caller: Caller,
      orgId: string,
      domainId: string,
      { joins }: UpdateOrgDomain,
    ): Promise<OrgDomain> =>
      change(caller, orgId, 'org.domain_changed', (tx) =>
        updateDomain(tx, orgId, domainId, { joins }),
      ),

    /** @throws ApiError 404. */
    async delete(caller: Caller, orgId: string, domainId: string): Promise<void> {
      await change(caller, orgId, 'org.domain_removed', (tx) => deleteDomain(tx, orgId, domainId))
    },
  }
}

let publicDomains: Set<string> | undefined

/** Whether everyone can get an address at a domain. The list is large and seldom needed. */
const isPublicMail = async (domain: string): Promise<boolean> => {
  publicDomains ??= new Set((await import('free-email-domains')).default)
  return publicDomains.has(domain)
}

/** @throws ApiError 422 for a text that is no domain, and for the domain of a public email provider. */
const readDomain = async (text: string): Promise<string> => {
  const domain = domainOf(text)
  if (!domain)
    throw orgDomainError('org_domain_refused', 'Input should be a domain, such as acme.com')
  if (emailProblem(`user@${domain}`) || (await isPublicMail(domain)))
    throw orgDomainError('org_domain_refused', 'Everyone can get an address at this domain')
  return domain
}

const present = (row: OrgDomainRow): OrgDomain => ({
  id: row.id,
  domain: row.domain,
  joins: row.joins,
  record: { name: row.domain, type: 'TXT', value: recordValue(row) },
  verified_at: row.verifiedAt?.toISOString() ?? null,
  checked_at: row.checkedAt?.toISOString() ?? null,
  missing_since: row.missingSince?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
})

export const orgDomainRoutes = (mount: Mount, domains: OrgDomainService): void => {
  mount(listOrgDomains, ({ caller, params }) => domains.list(caller, params.org_id))
  mount(createOrgDomain, ({ caller, params, body }) => domains.create(caller, params.org_id, body))
  mount(verifyOrgDomain, ({ caller, params }) =>
    domains.verify(caller, params.org_id, params.domain_id),
  )
  mount(updateOrgDomain, ({ caller, params, body }) =>
    domains.update(caller, params.org_id, params.domain_id, body),
  )
  mount(deleteOrgDomain, async ({ caller, params }) => {
    await domains.delete(caller, params.org_id, params.domain_id)
    return undefined
  })
}
