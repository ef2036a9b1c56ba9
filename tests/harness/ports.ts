import { connect } from 'node:net'

/** Below the ephemeral port range (RFC 6335 and Linux). */
const FIRST = 20_000
const COUNT = 10_000
const EACH = 16

let assigned = 0

/**
 * A port without a listener, outside the ephemeral range, so that no other process is assigned it: a
 * server can start there later or return to it. Parallel suites use different parts of the range.
 */
export const quietPort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + ((process.pid * EACH + assigned++) % COUNT)
    if (!(await isInUse(port))) return port
  }
}

export const isInUse = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
