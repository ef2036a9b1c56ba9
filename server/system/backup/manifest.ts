import type { Sequence, Table } from '../../platform/db/transfer/tables.ts'

/** The version of the archive format: incremented with each change that older versions cannot read. */
export const FORMAT = 1

/** The first entry: shows whether a version of svc can read the rest. */
export interface Header {
  format: number
  /** The version of svc that made the archive. */
  svc: string
}

/** The last entry but the checksums. */
export interface Manifest extends Header {
  /** When the state of the database was read. */
  takenAt: string
  /** The version of PostgreSQL. */
  postgres: string
  /** The migrations of the database, by their creation times. */
  migrations: number[]
  /** The version of the job queue's schema. */
  jobs: number
  tables: (Table & { rows: number })[]
  sequences: Sequence[]
  blobs: number
}

export const ENTRIES = {
  header: 'header.json',
  manifest: 'manifest.json',
  checksums: 'SHA256SUMS',
  secret: 'secrets/auth-secret',
  blobs: 'blobs/',
  tables: 'tables/',
} as const
