import type { Connections, Query } from '../../platform/db/database.ts'
import { eraseOwner } from '../memories/store.ts'
import {
  countOrphans,
  countWrongAuthors,
  deleteOrphans,
  dependentTables,
  findWrongPostings,
  hasWrongStats,
  listOwners,
  rewritePostings,
  rewriteStats,
} from './store.ts'

/** Something that differs from what the memories imply. */
export interface MemoryProblem {
  ownerId: string
  problem: string
  /** The number of memories, authors or rows. */
  count: number
}

/**
 * Compares postings, statistics and dependent rows with the memories, one owner at a time. Each comparison
 * is one statement, so that it sees one state while a server writes.
 * @param repairs whether it also corrects them.
 */
export const checkMemories = async (
  { query, db, transaction }: Connections,
  repairs: boolean,
  report: (text: string) => void,
): Promise<MemoryProblem[]> => {
  const problems: MemoryProblem[] = []
  const owners = await listOwners(query)
  for (const [index, { ownerId, exists }] of owners.entries()) {
    report(`owner ${index + 1} of ${owners.length}`)
    if (exists) {
      const found = await checkOwner(query, ownerId)
      problems.push(...found.problems)
      if (repairs && found.problems.length) await transaction((tx) => found.repair(tx))
      continue
    }
    problems.push({ ownerId, problem: 'memories of a deleted owner', count: 1 })
    if (repairs) await db.transaction((tx) => eraseOwner(tx, ownerId))
  }
  return problems
}

const checkOwner = async (query: Query, ownerId: string) => {
  const problems: MemoryProblem[] = []
  const add = (problem: string, count: number) => {
    if (count > 0) problems.push({ ownerId, problem, count })
  }
  const wrong = await findWrongPostings(query, ownerId)
  add('memories whose index differs from their content', wrong.length)
  add('statistics that differ from the memories', Number(await hasWrongStats(query, ownerId)))
  add('authors whose statistics differ', await countWrongAuthors(query, ownerId))
  for (const dependent of dependentTables)
    add(
      `rows of ${dependent.table} without a memory`,
      await countOrphans(query, ownerId, dependent),
    )
  const repair = async (within: Query) => {
    if (wrong.length) await rewritePostings(within, ownerId, wrong)
    await rewriteStats(within, ownerId)
    for (const dependent of dependentTables) await deleteOrphans(within, ownerId, dependent)
  }
  return { problems, repair }
}
