import {
  importUsers,
  type UserImportFormat,
  type UserImportReport,
} from '../../../shared/contract/user-import.ts'
import type { TierName } from '../../../shared/tiers.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import type { IsAdmin } from '../../account/users/user.ts'
import { requireAdmin } from '../../admin/admin-check.ts'
import { budgets } from '../../platform/budgets.ts'
import type { Cipher } from '../../platform/cipher.ts'
import { type Database, isUniqueViolation } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import type { Mount } from '../../platform/http/route.ts'
import { addFailure } from '../../platform/records/failures.ts'
import type { Pace } from '../../platform/request-rate.ts'
import { keysOf, rowsOf, selectNew } from './batch.ts'
import type { ImportedUser } from './line.ts'
import { readUserLines, type UserLine } from './lines.ts'
import { insertUsers } from './store.ts'

interface UserImportDeps {
  database: Database
  audit: Pick<AuditService, 'record' | 'recordNewUsers'>
  isAdmin: IsAdmin
  /** Addresses that make their account an admin, once it is verified. */
  adminEmails: readonly string[]
  cipher: Cipher
  /** The tier of new accounts, which a setting can change. */
  defaultTier: () => TierName
  /** Called after each batch with the time that it took. */
  pace: Pace
}

interface ImportRequest {
  caller: Caller
  client: RequestClient
  format: UserImportFormat
  isDryRun: boolean
}

/** Imports users with the password hashes of another system. */
export type UserImportService = ReturnType<typeof createUserImportService>

/** Attempts while concurrent requests store the same addresses. */
const MAX_ATTEMPTS = 5

const createReport = (isDryRun: boolean): UserImportReport => ({
  dry_run: isDryRun,
  imported: 0,
  existing: 0,
  skipped_identities: 0,
  skipped_factors: 0,
  failed_count: 0,
  failed: [],
})

export const createUserImportService = (deps: UserImportDeps) => {
  const { database, audit } = deps
  const store = createBatchStore(deps)
  const admins = new Set(deps.adminEmails)

  /** An address of the configuration becomes an admin by the mailed link only, never by a file. */
  const withoutAdmins = (found: UserLine): UserLine =>
    'user' in found && admins.has(found.user.email)
      ? {
          line: found.line,
          problem: { field: 'email', detail: 'SVC_ADMIN_EMAILS makes this address an admin' },
        }
      : found

  const run = async (
    request: ImportRequest,
    file: AsyncIterable<Uint8Array>,
    report: UserImportReport,
  ): Promise<void> => {
    const seen = createSeen()
    let batch: Candidate[] = []
    const flush = async () => {
      const start = performance.now()
      await store(request, batch, report, seen)
      await deps.pace(performance.now() - start)
      batch = []
    }
    for await (const line of readUserLines(file, request.format)) {
      const found = withoutAdmins(line)
      if ('problem' in found) {
        // The report never has a value of the file: it may be a secret.
        addFailure(report, { line: found.line, ...found.problem })
        continue
      }
      batch.push(found)
      if (batch.length >= budgets.importedUsers.count) await flush()
    }
    // An import without users is refused, too, if the caller is no longer an admin.
    await flush()
  }

  return {
    /**
     * Stores each user of a file once, batch by batch while it is received. An account that exists is left as it
     * is, so an import can be repeated.
     * @throws ApiError 403 if the caller is no longer an admin; what was stored before is kept.
     */
    async import(
      request: ImportRequest,
      file: AsyncIterable<Uint8Array>,
    ): Promise<UserImportReport> {
      const report = createReport(request.isDryRun)
      let isComplete = false
      try {
        await run(request, file, report)
        isComplete = true
      } finally {
        // The file may end early; what was stored is recorded.
        if (!request.isDryRun) {
          const { imported, existing, failed_count: failed } = report
          await audit.record(database.db, {
            userId: request.caller.userId,
            action: 'users.imported',
            ip: request.client.ip,
            details: { imported, existing, failed, ...(!isComplete && { complete: false }) },
          })
        }
      }
      return report
    },
  }
}

type Candidate = Extract<UserLine, { user: ImportedUser }>

/** The addresses and identities of a dry run. 53 bits of each: a million users need some megabytes. */
const createSeen = () => {
  const hashes = new Set<number>()
  const hashOf = (key: string) => Number(BigInt.asUintN(53, Bun.hash(key) as bigint))
  return {
    has: (key: string) => hashes.has(hashOf(key)),
    add: (key: string) => hashes.add(hashOf(key)),
  }
}

/** @returns a function that stores the new users of a batch in one transaction, and counts them. */
const createBatchStore =
  ({ database, audit, isAdmin, cipher, defaultTier }: UserImportDeps) =>
  async (
    { caller, isDryRun }: ImportRequest,
    batch: readonly Candidate[],
    report: UserImportReport,
    seen: ReturnType<typeof createSeen>,
  ): Promise<void> => {
    const users = batch.map(({ user }) => user)
    const attempt = () =>
      database.bulk.db.transaction(async (tx) => {
        await requireAdmin(tx, caller, isAdmin)
        if (users.length === 0) return []
        const added = await selectNew(tx, users, seen.has)
        if (isDryRun) return added
        const rows = await rowsOf(tx, added, { cipher, defaultTier: defaultTier() })
        await insertUsers(tx, rows)
        await audit.recordNewUsers(
          tx,
          rows.users.map(({ id }) => id),
          'user.imported',
        )
        return added
      })
    const added = new Set(await retryUnique(attempt))
    report.imported += added.size
    report.existing += users.length - added.size
    for (const { user, skippedIdentities, skipsFactor } of batch) {
      if (!added.has(user)) continue
      if (isDryRun) for (const key of keysOf(user)) seen.add(key)
      report.skipped_identities += skippedIdentities
      report.skipped_factors += Number(skipsFactor)
    }
  }

/** A concurrent import or sign-up may store an address after it was looked up. */
const retryUnique = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isUniqueViolation(error)) throw error
    }
  }
}

export const userImportRoutes = (mount: Mount, imports: UserImportService): void => {
  mount(importUsers, async ({ caller, client, query, file }) =>
    imports.import({ caller, client, format: query.format, isDryRun: query.dry_run }, await file()),
  )
}
