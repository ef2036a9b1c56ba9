import { getConstructionPlans } from 'pg-boss'
import type postgres from 'postgres'

export const JOB_SCHEMA = 'jobs'

/** The tables of the job queue that are copied, each after those that it references. The others have statistics. */
export const JOB_TABLES = ['queue', 'schedule', 'subscription', 'job', 'job_dependency'].map(
  (name) => `${JOB_SCHEMA}.${name}`,
)

/** Creates the empty tables of the job queue within a transaction. */
export const createJobTables = async (tx: Pick<postgres.Sql, 'unsafe'>): Promise<void> => {
  const plan = getConstructionPlans(JOB_SCHEMA)
  await tx.unsafe(plan.slice(plan.indexOf('BEGIN;') + 'BEGIN;'.length, plan.lastIndexOf('COMMIT;')))
}

/** The version of the job queue's schema; 0 before the first start. */
export const jobSchemaVersion = async (tx: Pick<postgres.Sql, 'unsafe'>): Promise<number> => {
  const [table] = await tx.unsafe(
    `select to_regclass('${JOB_SCHEMA}.version') is not null as exists`,
  )
  if (!table?.exists) return 0
  const [row] = await tx.unsafe(`select version from ${JOB_SCHEMA}.version`)
  return Number(row?.version ?? 0)
}
