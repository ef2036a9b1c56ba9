import type { Query } from '../db/database.ts'

const AUTH_SECRET = 'auth_secret'

/** @returns undefined before the first start, also if the schema is older than the table. */
export const findFingerprint = async (query: Query): Promise<string | undefined> => {
  if (!(await hasFingerprints(query))) return undefined
  const [row] = await query<{ fingerprint: string }>(
    'select fingerprint from secret_fingerprints where name = $1',
    [AUTH_SECRET],
  )
  return row?.fingerprint
}

/** Stores a fingerprint unless there is one, also while another process starts. @returns the stored one. */
export const keepFingerprint = async (
  query: Query,
  fingerprint: string,
): Promise<string | undefined> => {
  await query(
    'insert into secret_fingerprints (name, fingerprint) values ($1, $2) on conflict do nothing',
    [AUTH_SECRET, fingerprint],
  )
  return findFingerprint(query)
}

/** Replaces one fingerprint by another. @returns the stored one. */
export const advanceFingerprint = async (
  query: Query,
  from: string,
  to: string,
): Promise<string | undefined> => {
  await query(
    `update secret_fingerprints set fingerprint = $3, stored_at = now()
    where name = $1 and fingerprint = $2`,
    [AUTH_SECRET, from, to],
  )
  return findFingerprint(query)
}

/** Without effect on a schema that is older than the table: the next start stores it. */
export const replaceFingerprint = async (query: Query, fingerprint: string): Promise<void> => {
  if (!(await hasFingerprints(query))) return
  await query(
    `insert into secret_fingerprints (name, fingerprint) values ($1, $2)
    on conflict (name) do update set fingerprint = excluded.fingerprint, stored_at = now()`,
    [AUTH_SECRET, fingerprint],
  )
}

const hasFingerprints = async (query: Query): Promise<boolean> => {
  const [row] = await query<{ exists: boolean }>(
    `select to_regclass('secret_fingerprints') is not null as exists`,
    [],
  )
  return row?.exists === true
}
