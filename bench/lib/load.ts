/**
 * Sends GET requests over keep-alive connections, each after the response to the last:
 * `load.ts URL CONNECTIONS SECONDS KEY`. Uses bare sockets, so that it needs far less CPU time than the
 * servers that it measures. Prints a `Load`.
 */
export interface Load {
  perSecond: number
  /** The share of one CPU that the load generator used. Near 1, the generator is the bottleneck. */
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

/** Whether the response is complete. */
const isComplete = (response: string): boolean => {
  const end = response.indexOf(HEADERS_END)
  if (end < 0) return false
  if (!response.startsWith('HTTP/1.1 200')) throw new Error(response)
  const length = Number(/content-length: (\d+)/i.exec(response)?.[1])
  return response.length >= end + HEADERS_END.length + length
}

const connect = () => {
  let response = ''
  return Bun.connect({
    hostname: target.hostname,
    port: Number(target.port),
    socket: {
      open: (socket) => void socket.write(request),
      data: (socket, chunk) => {
        response += chunk.toString('latin1')
        if (!isComplete(response)) return
        answered++
        response = ''
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
