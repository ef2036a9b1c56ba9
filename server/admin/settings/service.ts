import type {
  ChangeServerSettings,
  ServerSetting,
  ServerSettings,
  ServerSettingTests,
  TestServerSettings,
} from '../../../shared/contract/server-settings.ts'
import type { FieldError } from '../../../shared/errors.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import type { IsAdmin } from '../../account/users/user.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { httpError } from '../../platform/http/error.ts'
import type {
  DeclaredSetting,
  SettingsCatalog,
  SettingValues,
} from '../../platform/settings/catalog.ts'
import {
  type StoredSetting,
  type StoredSettings,
  valuesOf,
} from '../../platform/settings/service.ts'
import { requireAdmin } from '../admin-check.ts'
import { HIDDEN, hintOf, showValue } from './display.ts'
import { settingError } from './errors.ts'
import { listEmails } from './store.ts'
import type { SettingTests, TestedConfig } from './testing/setting-tests.ts'

export type ServerSettingsService = ReturnType<typeof createServerSettingsService>

interface AdminRequest {
  caller: Caller
  client: RequestClient
}

interface ServerSettingsDeps {
  database: Database
  settings: StoredSettings
  catalog: SettingsCatalog<TestedConfig>
  audit: Pick<AuditService, 'record'>
  tests: SettingTests
  isAdmin: IsAdmin
}

/** A value of a request; `loc` is where its errors are reported. */
interface NewValue {
  name: string
  value: string | null
  loc: (string | number)[]
}

export const createServerSettingsService = ({
  database: { db },
  settings,
  catalog,
  audit,
  tests,
  isAdmin,
}: ServerSettingsDeps) => {
  const check = createCheck(catalog)

  const list = async (): Promise<ServerSettings> => {
    const stored = await settings.read(db)
    const emails = await listEmails(
      db,
      [...stored.values()].map(({ changedBy }) => changedBy),
    )
    return {
      settings: catalog.settings.map((declared) =>
        present(declared, {
          environment: catalog.inEnvironment(declared.name),
          stored: stored.get(declared.name),
          emails,
        }),
      ),
    }
  }

  const record = async (tx: Db, { caller, client }: AdminRequest, changed: Changed) => {
    const { declared, from, to } = changed
    await audit.record(tx, {
      userId: caller.userId,
      action: 'setting.changed',
      subject: declared.name,
      ip: client.ip,
      details: { from: describe(declared, from), to: describe(declared, to) },
    })
  }

  return {
    list,

    /**
     * @throws ApiError 403 if the caller is no longer an admin, 404 for an unknown setting, 409 for one of the environment or with another version,
     * 422 for an invalid value.
     */
    async change(
      request: AdminRequest,
      { changes }: ChangeServerSettings,
    ): Promise<ServerSettings> {
      const values = changes.map(({ name, value }, index) => ({
        name,
        value,
        loc: ['body', 'changes', index, 'value'],
      }))
      const declarations = check.each(values)
      await db.transaction(async (tx) => {
        await settings.lock(tx)
        await requireAdmin(tx, request.caller, isAdmin)
        const before = await settings.read(tx)
        check.together(values, valuesOf(before), ['body', 'changes'])
        for (const change of changes) {
          const declared = declarations.get(change.name)
          const earlier = before.get(change.name)
          const isCurrent = (earlier?.version ?? 0) === change.version
          if (!declared || !isCurrent || !(await settings.store(tx, change, request.caller.userId)))
            throw settingError('setting_changed', change.name)
          await record(tx, request, { declared, from: earlier?.value, to: change.value })
        }
        await settings.notify(tx)
      })
      // The other processes are notified. After a failure this one is, too.
      await settings.refresh().catch(() => {})
      return list()
    },

    /** Tests a group with values that are not stored. @throws ApiError as `change`. */
    async test(
      caller: Caller,
      { group, values: given = [] }: TestServerSettings,
    ): Promise<ServerSettingTests> {
      const values = given.map((each, index) => ({
        ...each,
        loc: ['body', 'values', index, 'value'],
      }))
      check.each(values)
      const stored = valuesOf(await settings.read(db))
      const tested = check.together(values, stored, ['body', 'values'])
      return { tests: await tests.run(group, catalog.configWith(tested), caller.me.email) }
    },
  }
}

interface Changed {
  declared: DeclaredSetting
  from: string | null | undefined
  to: string | null
}

const describe = ({ isSecret }: DeclaredSetting, value: string | null | undefined): string => {
  if (value === null || value === undefined) return 'default'
  return isSecret ? 'a secret' : showValue(value)
}

const createCheck = ({
  settings,
  inEnvironment,
  problemOf,
  problemsOf,
}: SettingsCatalog<TestedConfig>) => {
  const byName = new Map(settings.map((each) => [each.name, each]))

  const problemOfNew = ({ name, value }: NewValue, names: string[]): string | undefined => {
    if (names.filter((each) => each === name).length > 1) return `${name} is in the request twice`
    if (value?.includes(HIDDEN)) return `${name} must be the whole value, without ${HIDDEN}`
    return value === null ? undefined : problemOf(name, value)
  }

  /** A secret must not reach another server than the one that it was entered for. */
  const misdirected = (values: NewValue[], stored: SettingValues): FieldError[] =>
    values.flatMap(({ name, value, loc }) => {
      const secret = byName.get(name)?.secretSentTo
      if (!secret || (value ?? undefined) === stored.get(name)) return []
      if (inEnvironment(secret) !== undefined)
        return [invalid(loc, `${secret} is set in the environment, so set ${name} there, too`)]
      const isEntered = values.some((each) => each.name === secret)
      return stored.has(secret) && !isEntered
        ? [invalid(loc, `${secret} is sent to this URL; enter it again, or remove it`)]
        : []
    })

  return {
    /** Checks each value alone. @returns the declarations by name. */
    each(values: NewValue[]): ReadonlyMap<string, DeclaredSetting> {
      const names = values.map(({ name }) => name)
      for (const name of names) {
        if (!byName.has(name)) throw settingError('setting_unknown', name)
        if (inEnvironment(name) !== undefined) throw settingError('setting_fixed', name)
      }
      refuse(
        values.flatMap((value) => {
          const problem = problemOfNew(value, names)
          return problem ? [invalid(value.loc, problem)] : []
        }),
      )
      return byName
    },

    /** Checks the values with those that are stored. @returns all of them. */
    together(values: NewValue[], stored: SettingValues, loc: string[]): SettingValues {
      refuse(misdirected(values, stored))
      const all = new Map(stored)
      for (const { name, value } of values) {
        if (value === null) all.delete(name)
        else all.set(name, value)
      }
      // A variable may be unset in the environment since then, which is no reason to refuse another change.
      const known = new Set(problemsOf(stored))
      const added = problemsOf(all).filter((problem) => !known.has(problem))
      refuse(added.map((problem) => invalid(loc, problem)))
      return all
    },
  }
}

const invalid = (loc: (string | number)[], msg: string): FieldError => ({
  loc,
  msg,
  type: 'value_error',
})

const refuse = (errors: FieldError[]): void => {
  if (errors.length) throw httpError('invalid_request', errors)
}

const present = (
  { name, group, about, fallback, isSecret, hasHint, choices, range }: DeclaredSetting,
  {
    environment,
    stored,
    emails,
  }: {
    environment: string | undefined
    stored: StoredSetting | undefined
    emails: ReadonlyMap<string, string>
  },
): ServerSetting => {
  const value = environment ?? stored?.value
  const source =
    environment !== undefined ? 'environment' : stored?.value !== undefined ? 'stored' : 'default'
  return {
    name,
    group,
    about,
    source,
    default: fallback,
    is_secret: isSecret,
    value: value === undefined || isSecret ? null : showValue(value),
    hint: value !== undefined && hasHint ? hintOf(value) : null,
    is_readable: stored?.isReadable ?? true,
    choices: choices ? [...choices] : null,
    minimum: range?.[0] ?? null,
    maximum: range?.[1] ?? null,
    version: stored?.version ?? 0,
    changed_at: stored?.changedAt.toISOString() ?? null,
    changed_by: (stored && emails.get(stored.changedBy)) ?? null,
  }
}
