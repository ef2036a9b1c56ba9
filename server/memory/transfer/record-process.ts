/** Entry of the child processes that read large records of imported files; see `import-reader.ts`. */
import type { ImportFormat } from '../../../shared/contract/transfer.ts'
import { serveTasks } from '../../platform/process/protocol.ts'
import { checkedMemories } from './check.ts'

export interface RecordHeader {
  number: number
  format: ImportFormat
}

await serveTasks((header, bytes) => {
  const { number, format } = header as RecordHeader
  return checkedMemories({ number, bytes }, format)
})
