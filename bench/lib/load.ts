/**
 * Sends GET requests over kept-alive connections, each as soon as the last is answered:
 * `load.ts URL CONNECTIONS SECONDS KEY`. Speaks HTTP on bare sockets, so that it needs far less of
 * the processor than the servers it measures. Prints a `Load`.
 */
export interface Load {
  perSecond: number
  /** The share of one processor that it needed itself: near 1, it measures itself. */
  busy: number
}

const HEADERS_END = '\r\n\r\n'

const target = new URL(process.argv[2] ?? '')
const connections = Number(process.argv[3])
const seconds = Number(process.argv[4])
const request = [
  `GET ${target.pathname} HTTP/1.1`,
  `Host: ${target.host}`,
  `Authorization: Bearer ${process.argv[5]}`,
  `${HEADERS_END}`.slice(2),
].join('\r\n')

let answered = 0

/** @returns whether `answer` is all there. */
const isComplete = (answer: string): boolean => {
  const end = answer.indexOf(HEADERS_END)
  if (end < 0) return false
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(answer)
  const length = Number(/content-length: (\d+)/i.exec(answer)?.[1])
  return answer.length >= end + HEADERS_END.length + length
}

const connect = () => {
  let answer = ''
  return Bun.connect({
    hostname: target.hostname,
    port: Number(target.port),
    socket: {
      open: (socket) => void socket.write(request),
      data: (socket, chunk) => {
        answer += chunk.toString('latin1')
        if (!isComplete(answer)) return
        answered++
        answer = ''
        socket.write(request)
      },
    },
  })
}

const cpu = process.cpuUsage()
const start = performance.now()
await Promise.all(Array.from({ length: connections }, connect))
await Bun.sleep(seconds * 1000)
const ms = performance.now() - start
const { user, system } = process.cpuUsage(cpu)
const load: Load = { perSecond: (answered / ms) * 1000, busy: (user + system) / 1000 / ms }
console.log(JSON.stringify(load))
process.exit()
