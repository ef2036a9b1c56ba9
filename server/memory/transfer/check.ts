import { ImportedMemory, type ImportFormat } from '../../../shared/contract/transfer.ts'
import { readValue } from '../../platform/http/validate.ts'
import { metadataProblem } from '../memories/content.ts'
import { memoriesOf } from './formats/index.ts'
import { parseRecord, type RawRecord } from './formats/records.ts'

/** A valid memory, or the problem of a record, with its line in the file. */
export type CheckedMemory = { line: number } & ({ memory: ImportedMemory } | { problem: string })

export function* checkedMemories(
  record: RawRecord,
  format: ImportFormat,
): Generator<CheckedMemory> {
  for (const found of memoriesOf(parseRecord(record), format))
    yield 'raw' in found ? { line: found.line, ...check(found.raw) } : found
}

const check = (raw: unknown): { memory: ImportedMemory } | { problem: string } => {
  const read = readValue(ImportedMemory, raw)
  if ('value' in read) {
    const problem = metadataProblem(read.value.metadata)
    return problem ? { problem: problem.msg } : { memory: withLowerCaseIds(read.value) }
  }
  const problems = read.errors.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`)
  return { problem: problems.join('; ').slice(0, 1_000) }
}

/** The database writes ids in lower case. */
const withLowerCaseIds = (memory: ImportedMemory): ImportedMemory => ({
  ...memory,
  ...(memory.memory_id && { memory_id: memory.memory_id.toLowerCase() }),
  supersedes: memory.supersedes?.toLowerCase() ?? null,
  superseded_by: memory.superseded_by?.toLowerCase() ?? null,
})
