import { DAY_MS } from '../../../shared/duration.ts'
import { foldLabel } from '../../../shared/labels.ts'
import type { TimeBound } from '../../platform/timezone.ts'
import type { RecallFilter } from './filter-store.ts'
import { Flag, NONE, type OwnerIndex, trustNumber, typeNumber } from './owner-index.ts'

export const MICROSECONDS = 1_000

/** Accepts a document. */
export type Accepts = (doc: number) => boolean

/** Whether the index has all that the filter asks for; otherwise PostgreSQL is asked which memories pass. */
export const coversFilter = ({ tags, thread, asOf }: RecallFilter): boolean =>
  tags === undefined && thread === undefined && asOf === undefined

/**
 * Whether a memory is valid and passes a filter.
 * @param passing the `seq` of those that do, where the index does not cover the filter.
 */
export const filterOf = (
  index: OwnerIndex,
  filter: RecallFilter,
  passing: ReadonlySet<number> | undefined,
): Accepts => {
  if (passing)
    return (doc) => passing.has(index.seqs[doc] ?? NONE) && !index.has(doc, Flag.isRemoved)
  const { memoryType, author, agentSlug, project, inProjects, since, until, trusts, current } =
    filter
  const superseded = new Set(current)
  const isValid: Accepts = superseded.size
    ? (doc) =>
        index.has(doc, Flag.isLive) ||
        (superseded.has(index.seqs[doc] ?? NONE) && !index.has(doc, Flag.isRemoved))
    : (doc) => index.has(doc, Flag.isLive)
  const conditions: Accepts[] = []
  if (memoryType !== undefined) {
    const type = typeNumber(memoryType)
    conditions.push((doc) => index.types[doc] === type)
  }
  if (author !== undefined) {
    const ids = index.authorsLabelled(foldLabel(author))
    conditions.push((doc) => ids.has(index.authors[doc] ?? NONE))
  }
  if (agentSlug !== undefined) {
    const id = index.agentId(agentSlug)
    conditions.push((doc) => index.agents[doc] === id)
  }
  if (project !== undefined) {
    const id = index.projectIds.get(project)
    conditions.push((doc) => index.projects[doc] === id)
  }
  if (inProjects !== undefined) {
    const ids = new Set([NONE, ...inProjects.map((name) => index.projectIds.get(name))])
    conditions.push((doc) => ids.has(index.projects[doc]))
  }
  if (since !== undefined) {
    const isFrom = notBefore(since)
    conditions.push((doc) => isFrom(index.times[doc] ?? 0))
  }
  if (until !== undefined) {
    const isFrom = notBefore(until)
    conditions.push((doc) => !isFrom(index.times[doc] ?? 0))
  }
  if (trusts !== undefined) {
    const accepted = new Set(trusts.map(trustNumber))
    conditions.push((doc) => accepted.has(index.trusts[doc] ?? 0))
  }
  return conditions.length === 0
    ? isValid
    : (doc) => isValid(doc) && conditions.every((accepts) => accepts(doc))
}

/** Whether a time, in microseconds, is not before a bound. */
const notBefore = ({ instant, day }: TimeBound): ((time: number) => boolean) => {
  const [ofInstant, ofDay] = [microseconds(instant), microseconds(day)]
  return (time) => time >= (time % DAY_MICROSECONDS === 0 ? ofDay : ofInstant)
}

const DAY_MICROSECONDS = DAY_MS * MICROSECONDS

/** An instant of `toISOString` as PostgreSQL counts it. */
export const microseconds = (instant: string): number => Date.parse(instant) * MICROSECONDS
