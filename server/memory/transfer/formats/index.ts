import { ImportedMemory, type ImportFormat } from '../../../../shared/contract/transfer.ts'
import { isObject } from '../../../../shared/objects.ts'
import { readValue } from '../../../platform/http/validate.ts'
import { type FileRecord, parseRecord, type RawRecord } from '../../../platform/records/records.ts'
import { metadataProblem } from '../../memories/new-memory.ts'
import { withoutGiven } from '../../text/given.ts'
import { readSignature, type SignedLine } from '../signatures.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import type { Format } from './format.ts'
import { mcp } from './mcp.ts'
import { mem0 } from './mem0.ts'

/** A line of svc's own export, or a body of `POST /api/remember`. */
const svc: Format = {
  matches: (record) => 'content_text' in record || 'content' in record,
  *read(record) {
    yield 'content_text' in record ? record : { ...record, content_text: record.content }
  },
}

/** In the order of detection: specific formats come first. */
const formats: Record<Exclude<ImportFormat, 'auto'>, Format> = { chatgpt, claude, mcp, mem0, svc }

/** An unchecked memory, or the problem of a record, with the number of the line or element. */
export type FoundMemory = { line: number } & ({ raw: unknown } | { problem: string })

/** Yields the memories of a record. With `auto`, the format is detected for each record. */
export function* memoriesOf(record: FileRecord, wanted: ImportFormat): Generator<FoundMemory> {
  const line = record.number
  if ('problem' in record) return yield { line, problem: record.problem }
  const { value } = record
  const candidates = wanted === 'auto' ? Object.values(formats) : [formats[wanted]]
  const format = isObject(value) ? candidates.find(({ matches }) => matches(value)) : undefined
  if (!isObject(value) || !format) {
    const expected = wanted === 'auto' ? 'a memory of any known format' : `a memory of ${wanted}`
    return yield { line, problem: `Not ${expected}` }
  }
  for (const raw of format.read(value)) yield { line, raw }
}

/** A valid memory, or the problem of a record, with its line in the file. */
export type CheckedMemory = { line: number } & (
  | { memory: ImportedMemory; signed?: SignedLine }
  | { problem: string }
)

export function* checkedMemories(
  record: RawRecord,
  format: ImportFormat,
): Generator<CheckedMemory> {
  for (const found of memoriesOf(parseRecord(record), format))
    yield 'raw' in found ? { line: found.line, ...checkSigned(found.raw) } : found
}

const checkSigned = (raw: unknown) => {
  const checked = check(raw)
  const signed = 'memory' in checked ? readSignature(raw) : undefined
  return { ...checked, ...(signed && { signed }) }
}

const check = (raw: unknown): { memory: ImportedMemory } | { problem: string } => {
  const read = readValue(ImportedMemory, raw)
  if ('value' in read) {
    const problem = metadataProblem(read.value.metadata)
    if (problem) return { problem: problem.msg }
    const content_text = withoutGiven(read.value.content_text)
    return content_text === ''
      ? { problem: 'content_text: Holds only memories that svc gave' }
      : { memory: withLowerCaseIds({ ...read.value, content_text }) }
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
