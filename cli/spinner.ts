import type { Client } from '../shared/client.ts'
import { isStream } from '../shared/contract/endpoint.ts'
import type { Io } from './output.ts'

/** Most responses arrive earlier. A spinner that flashes is distracting. */
const SPINNER_DELAY_MS = 50

/** A client that shows a spinner while it waits. Streams and files show their own progress. */
export const withSpinner = (client: Client, io: Io): Client => ({
  async call(row, ...args) {
    if (isStream(row.success[1]) || row.file) return client.call(row, ...args)
    let isShown = false
    const timer = setTimeout(() => {
      if (io.isShowing) return
      io.spin('Waiting for the server …')
      isShown = true
    }, SPINNER_DELAY_MS)
    try {
      return await client.call(row, ...args)
    } finally {
      clearTimeout(timer)
      if (isShown) io.clear()
    }
  },
})
