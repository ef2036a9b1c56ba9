import type { Connections, Query } from '../../platform/db/database.ts'
import type { Eraser } from '../memories/owner-store.ts'
import { analyze, encodeTerms } from '../text/analyzer.ts'
import {
  type CheckedMemory,
  countOrphans,
  deleteOrphans,
  dependentTables,
  hasWrongStats,
  listAnalyzed,
  listOwners,
  rewriteStats,
  rewriteTerms,
} from './store.ts'

/** Something that differs from what the memories imply. */
export interface MemoryProblem {
  ownerId: string
  problem: string
  /** The number of memories or rows. */
  count: number
}

interface CheckOptions {
  /** Whether it also corrects what differs. */
  repairs: boolean
  eraseOwner: Eraser
  report: (text: string) => void
}

/**
 * Compares terms, statistics and dependent rows with the memories, one owner at a time. Each statement sees one state
 * while a server writes.
 */
export const checkMemories = async (
  { query, db, transaction }: Connections,
  { repairs, eraseOwner, report }: CheckOptions,
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
  const wrong = await findWrongTerms(query, ownerId)
  add('memories whose index differs from their content', wrong.length)
  add('statistics that differ from the memories', Number(await hasWrongStats(query, ownerId)))
  for (const dependent of dependentTables)
    add(
      `rows of ${dependent.table} without a memory`,
      await countOrphans(query, ownerId, dependent),
    )
  const repair = async (within: Query) => {
    if (wrong.length) await rewriteTerms(within, ownerId, wrong)
    await rewriteStats(within, ownerId)
    for (const dependent of dependentTables) await deleteOrphans(within, ownerId, dependent)
  }
  return { problems, repair }
}

/** Memories that are read at a time. */
const PAGE = 1_000

/** The memories whose terms differ from their content, with the right ones. */
const findWrongTerms = async (query: Query, ownerId: string): Promise<CheckedMemory[]> => {
  const wrong: CheckedMemory[] = []
  for (let after = '0'; ; ) {
    const page = await listAnalyzed(query, ownerId, after, PAGE)
    for (const memory of page) {
      const terms = encodeTerms(await analyze(memory.content_text, memory.language))
      if (terms !== memory.terms) wrong.push({ ...memory, terms })
    }
    const last = page.at(-1)
    if (!last) return wrong
    after = last.seq
  }
}
