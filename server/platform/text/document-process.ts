/** The entry file of the processes that read documents; see `reader.ts`. */
import { serveTasks } from '../process/protocol.ts'
import { readDocument } from './document.ts'
import { type Document, type DocumentSource, Unreadable } from './types.ts'

export type Outcome = { document: Document } | { unreadable: string }

await serveTasks(async function* (header, bytes): AsyncGenerator<Outcome> {
  try {
    yield { document: await readDocument({ ...(header as Omit<DocumentSource, 'bytes'>), bytes }) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    yield { unreadable: error.message }
  }
})
