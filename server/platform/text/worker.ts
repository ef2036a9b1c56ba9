/** Reads one document off the main thread; whoever started it ends it. */
import { type Document, readDocument, type Source, Unreadable } from './document.ts'

export type Outcome = { document: Document } | { unreadable: string } | { error: string }

declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<Source>) => {
  const outcome: Outcome = await readDocument(data).then(
    (document) => ({ document }),
    (error) =>
      error instanceof Unreadable ? { unreadable: error.message } : { error: String(error) },
  )
  self.postMessage(outcome)
}
