import {
  DISTRIBUTION_COLUMN,
  FIRST_DISTRIBUTED,
  type PlacedTable,
} from '../../platform/db/distribution.ts'
import type { DatabaseSession, Transaction } from '../../platform/db/transfer/session.ts'

/** The servers of the cluster. */
export interface Nodes {
  /** The coordinator knows its own address, which workers connect to. */
  hasCoordinator: boolean
  /** The session is on the coordinator. */
  isCoordinator: boolean
  /** Nodes that take rows of distributed tables. */
  workers: number
}

export const readNodes = async ({ sql }: DatabaseSession): Promise<Nodes> => {
  const [row] = await sql.unsafe(
    `select count(*) filter (where groupid = 0) as coordinators,
      count(*) filter (where shouldhaveshards and isactive and noderole = 'primary') as workers,
      (select groupid = 0 from pg_dist_local_group) as is_coordinator
    from pg_dist_node`,
  )
  return {
    hasCoordinator: Number(row?.coordinators) > 0,
    isCoordinator: row?.is_coordinator === true,
    workers: Number(row?.workers),
  }
}

/** Whether the server has the files of the extension. */
export const isCitusAvailable = async ({ sql }: DatabaseSession): Promise<boolean> => {
  const [row] = await sql.unsafe(`select from pg_available_extensions where name = 'citus'`)
  return row !== undefined
}

/** Distributes a table with its rows; the local rows stay until `deleteLocalRows`. */
export const place = async (tx: Transaction, { name, expected }: PlacedTable): Promise<void> => {
  if (expected === 'reference') await tx.unsafe(`select create_reference_table('public.${name}')`)
  else
    await tx.unsafe(
      `select create_distributed_table('public.${name}', '${DISTRIBUTION_COLUMN}',
        colocate_with := '${name === FIRST_DISTRIBUTED ? 'none' : `public.${FIRST_DISTRIBUTED}`}')`,
    )
}

/** Citus keeps the rows that a table had before, which no statement reads any more. */
export const deleteLocalRows = async (tx: Transaction, { name }: PlacedTable): Promise<void> => {
  await tx.unsafe(`select truncate_local_data_after_distributing_table('public.${name}')`)
}

/**
 * Turns JIT compilation off for this role in this database, on all nodes and on those that are added later: it
 * takes longer than a recall. The coordinator opens the connections to the nodes, without the settings of svc's own.
 */
export const disableJit = async ({ sql }: DatabaseSession): Promise<void> => {
  const [row] = await sql.unsafe(
    `select format('alter role current_user in database %I set jit to off', current_database()) as statement`,
  )
  await sql.unsafe(row?.statement)
}
