import { connect } from 'node:net'

/** Below the ports that systems give to whoever asks for any (RFC 6335 and Linux). */
const FIRST = 20_000
const COUNT = 10_000
const EACH = 16

let given = 0

/**
 * A port that nobody listens on and that nobody is given who asks for any: so a server may come back to
 * it, or come later. Suites that run at once take theirs from different places.
 */
export const quietPort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + ((process.pid * EACH + given++) % COUNT)
    if (!(await isTaken(port))) return port
  }
}

const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
