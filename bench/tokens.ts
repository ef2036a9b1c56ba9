import { me, refresh, signIn } from '../shared/contract/index.ts'
import { count, readArgs, text } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import {
  type Account,
  type BenchServer,
  newAccount,
  nextAddress,
  PASSWORD,
  startServer,
} from './lib/server.ts'
import { median, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/tokens.ts: requests that read or sign a token, beside those of another version (ms)',
  {
    other: text('svc of the other version', ''),
    requests: count('requests of each kind', 500),
    signins: count('number of sign-ins', 40),
  },
)

interface Target {
  server: BenchServer
  account: Account
  cookie: string
}

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

const signInOn = ({ url }: BenchServer, { email }: Account): Promise<Response> =>
  fetch(new URL(signIn.path, url), {
    method: signIn.method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
    body: JSON.stringify({ email, password: PASSWORD }),
  })

const get = ({ server }: Target, credential: string): Promise<Response> =>
  fetch(new URL(me.path, server.url), { headers: { authorization: `Bearer ${credential}` } })

const kinds: Record<string, (target: Target) => Promise<Response>> = {
  'GET /api/me with a key': (target) => get(target, target.account.key),
  'GET /api/me with an access token': (target) => get(target, target.account.accessToken),
  'POST /api/auth/refresh': async (target) => {
    const response = await fetch(new URL(refresh.path, target.server.url), {
      method: refresh.method,
      headers: { cookie: target.cookie },
    })
    target.cookie = cookieOf(response)
    return response
  },
  'POST /api/auth/signin': ({ server, account }) => signInOn(server, account),
}

/** Sends requests to both in turn, so that other programs on the machine slow both. */
const measure = async (
  targets: Target[],
  send: (target: Target) => Promise<Response>,
  n: number,
) => {
  const times = targets.map((): number[] => [])
  for (let i = 0; i < n; i++)
    for (const index of i % 2 ? [1, 0] : [0, 1]) {
      const target = targets[index]
      if (!target) continue
      const [ms, status] = await timed(async () => {
        const response = await send(target)
        await response.arrayBuffer()
        return response.status
      })
      if (status !== 200) throw new Error(`status ${status}`)
      times[index]?.push(ms)
    }
  return times.map(median)
}

const startTarget = async (stack: AsyncDisposableStack, executable?: string): Promise<Target> => {
  const database = stack.use(await createDatabase('postgres'))
  const env = { SVC_PROCESSES: '1' }
  const server = stack.use(await startServer(database, env, undefined, executable))
  const account = await newAccount(server)
  const cookie = cookieOf(await signInOn(server, account))
  return { server, account, cookie }
}

await using stack = new AsyncDisposableStack()
const targets = [await startTarget(stack), await startTarget(stack, args.other)]
const rows: (string | number)[][] = []
for (const [kind, send] of Object.entries(kinds)) {
  await measure(targets, send, 10)
  const n = send === kinds['POST /api/auth/signin'] ? args.signins : args.requests
  const [own = 0, other = 0] = await measure(targets, send, n)
  rows.push([kind, own.toFixed(2), other.toFixed(2), (own / other).toFixed(3)])
}
printTable(['request', 'p50', 'p50 of the other', 'ratio'], rows)
