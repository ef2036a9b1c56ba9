import { budgets } from '../budgets.ts'
import { entryFile } from '../files.ts'
import { ChildKilled, createProcessPool, type KillReason } from '../process/pool.ts'
import type { Outcome } from './document-process.ts'
import { type Document, type DocumentSource, Unreadable } from './types.ts'

export type DocumentReader = ReturnType<typeof createReader>

/**
 * Reads documents in child processes. The parsers of PDF and HTML handle untrusted input, so their time
 * and memory are limited and they can be killed.
 */
export const createReader = () => {
  const pool = createProcessPool({
    entry: entryFile('server/platform/text/document-process.ts'),
    size: 2,
    taskCpuMs: budgets.document.cpuMs,
    taskMs: budgets.document.ms,
    memoryBytes: budgets.document.memory,
    cpuSeconds: 120,
  })
  return {
    /**
     * Reads the text of a page or file.
     * @throws Unreadable when it has no text, exceeds a limit, or `signal` aborts.
     */
    async read({ bytes, ...header }: DocumentSource, signal: AbortSignal): Promise<Document> {
      let outcome: Outcome | undefined
      try {
        for await (const item of pool.run({ header, bytes }, signal)) outcome = item as Outcome
      } catch (error) {
        if (error instanceof ChildKilled) throw new Unreadable(MESSAGES[error.reason])
        throw error
      }
      if (!outcome) throw new Error('The reader process sent no result')
      if ('unreadable' in outcome) throw new Unreadable(outcome.unreadable)
      return outcome.document
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

const MESSAGES: Record<KillReason, string> = {
  memory: 'It takes too much memory to read',
  time: 'It took too long to read',
  aborted: 'It took too long to read',
  ended: 'It could not be read',
}
