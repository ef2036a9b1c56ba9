import { type Static, Type } from '@sinclair/typebox'

/** The version of the archive format: incremented with each change that older versions cannot read. */
export const FORMAT = 1

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Count = Type.Integer({ minimum: 0 })

/** The first entry: shows whether a version of svc can read the rest. */
export const Header = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** The version of svc that made the archive. */
  svc: Name,
})

/** The last entry but the checksums. */
export const BackupManifest = Type.Object({
  ...Header.properties,
  /** When the state of the database was read. */
  takenAt: Type.String({ pattern: '^[\\d:.TZ-]+$' }),
  /** The version of PostgreSQL. */
  postgres: Type.String({ pattern: '^\\d', maxLength: 200 }),
  /** The migrations of the database, by their creation times. */
  migrations: Type.Array(Type.Integer(), { minItems: 1 }),
  /** The version of the job queue's schema. */
  jobs: Count,
  tables: Type.Array(Type.Object({ name: Name, columns: Type.Array(Name), rows: Count })),
  sequences: Type.Array(
    Type.Object({
      table: Name,
      column: Name,
      value: Type.String({ pattern: '^[1-9]\\d{0,17}$' }),
      isCalled: Type.Boolean(),
    }),
  ),
  blobs: Count,
  /** Whether the archive has the secret; true in archives of earlier versions. */
  hasSecret: Type.Optional(Type.Boolean()),
})
export type BackupManifest = Static<typeof BackupManifest>

export const Secret = Type.String({ minLength: 32, maxLength: 10_000 })

export const ENTRIES = {
  header: 'header.json',
  manifest: 'manifest.json',
  checksums: 'SHA256SUMS',
  secret: 'secrets/auth-secret',
  blobs: 'blobs/',
  tables: 'tables/',
} as const
