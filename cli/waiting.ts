import type { Client } from '../shared/client.ts'
import { isStream } from '../shared/contract/endpoint.ts'
import type { Io } from './output.ts'

/** Nearly every answer is there by then, and what shows for a moment only is in the way. */
const PATIENCE_MS = 50

/** A client that shows a person that an answer is waited for. Streams and files show how far they are. */
export const waiting = (client: Client, io: Io): Client => ({
  async call(row, ...args) {
    if (isStream(row.success[1]) || row.file) return client.call(row, ...args)
    let isShown = false
    const timer = setTimeout(() => {
      if (io.isShowing) return
      io.wait('Waiting for an answer …')
      isShown = true
    }, PATIENCE_MS)
    try {
      return await client.call(row, ...args)
    } finally {
      clearTimeout(timer)
      if (isShown) io.clear()
    }
  },
})
