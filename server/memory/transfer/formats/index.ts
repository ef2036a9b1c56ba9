import type { ImportFormat } from '../../../../shared/contract/transfer.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import type { Format } from './format.ts'
import { mcp } from './mcp.ts'
import { mem0 } from './mem0.ts'
import type { FileRecord } from './records.ts'
import { svc } from './svc.ts'
import { isObject } from './values.ts'

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
