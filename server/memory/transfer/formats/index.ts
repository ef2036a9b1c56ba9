import type { ImportFormat } from '../../../../shared/schemas/transfer.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import type { Format } from './format.ts'
import { mcp } from './mcp.ts'
import { mem0 } from './mem0.ts'
import { type FileRecord, readRecords } from './records.ts'
import { svc } from './svc.ts'
import { isObject } from './values.ts'

/** In the order in which a record is tried: what is most particular comes first. */
const formats: Record<Exclude<ImportFormat, 'auto'>, Format> = { chatgpt, claude, mcp, mem0, svc }

/** A memory as a file tells of it, still to be checked, with the number of its line or element. */
export type Found = { line: number } & ({ told: unknown } | { problem: string })

/**
 * Finds the memories in a file of any of the formats, as its bytes come. The format is told by what a
 * record looks like, unless one is asked for.
 */
export async function* readMemories(
  file: AsyncIterable<Uint8Array>,
  format: ImportFormat,
): AsyncGenerator<Found> {
  for await (const record of readRecords(file)) yield* memoriesOf(record, format)
}

function* memoriesOf(record: FileRecord, asked: ImportFormat): Generator<Found> {
  const line = record.number
  if ('problem' in record) return yield { line, problem: record.problem }
  const { value } = record
  const candidates = asked === 'auto' ? Object.values(formats) : [formats[asked]]
  const format = isObject(value) ? candidates.find(({ matches }) => matches(value)) : undefined
  if (!isObject(value) || !format) {
    const wanted = asked === 'auto' ? 'a memory of any known format' : `a memory of ${asked}`
    return yield { line, problem: `Not ${wanted}` }
  }
  for (const told of format.read(value)) yield { line, told }
}
