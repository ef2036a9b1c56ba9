import { fileURLToPath } from 'node:url'
import { decodeProtectedHeader } from 'jose'
import { createClient } from '../shared/client.ts'
import { me, refresh, rotateSigningKeys, signIn } from '../shared/contract/index.ts'
import { count, readArgs } from './lib/args.ts'
import { createDatabase, openBeside } from './lib/database.ts'
import { freePort, newAccount, nextAddress, PASSWORD, startServer } from './lib/server.ts'
import { quantile, timed } from './lib/stats.ts'

const { values: args } = readArgs(
  'bench/key-rotation.ts: refused tokens while the signing keys rotate, in real time',
  {
    minutes: count('minutes of load; a key signs ten minutes after it was published', 12),
    rate: count('requests per second', 50),
  },
)

const script = fileURLToPath(new URL('lib/token-verifier.ts', import.meta.url))

const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? ''

/** Sends the tokens to another process, and counts the results. */
const startVerifier = (url: string, issuer: string) => {
  const child = Bun.spawn([process.execPath, script, url, issuer], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const output = new Response(child.stdout).text()
  return {
    verify(token: string) {
      child.stdin.write(`${token}\n`)
      child.stdin.flush()
    },
    async results(): Promise<string[]> {
      child.stdin.end()
      return (await output).split('\n').filter(Boolean)
    },
  }
}

/** A session of a browser: each refresh replaces the cookie. */
const openSession = async (url: string, email: string) => {
  const response = await fetch(new URL(signIn.path, url), {
    method: signIn.method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  let cookie = cookieOf(response)
  let last: Promise<unknown> = Promise.resolve()
  const refreshAt = async (server: string): Promise<string> => {
    const answer = await fetch(new URL(refresh.path, server), {
      method: refresh.method,
      headers: { cookie },
    })
    if (answer.status !== 200) throw new Error(`refresh: ${answer.status}`)
    cookie = cookieOf(answer)
    const { access_token } = (await answer.json()) as { access_token: string }
    return access_token
  }
  return {
    refresh(server: string): Promise<string> {
      const refreshed = last.then(() => refreshAt(server))
      last = refreshed.catch(() => {})
      return refreshed
    },
  }
}

const cookieOf = (response: Response): string =>
  response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** Sessions that refresh in turn, so that new tokens arise all the time. */
const SESSIONS = 5
const REFRESH_EVERY = 5

const run = async (): Promise<void> => {
  await using database = await createDatabase('postgres')
  const issuer = `http://127.0.0.1:${freePort()}`
  const env = { SVC_BASE_URL: issuer, SVC_PROCESSES: '1' }
  await using one = await startServer(database, env)
  await using other = await startServer(database, env)
  const servers = [one, other]
  const admin = await newAccount(one)
  await using beside = await openBeside(database)
  await beside.database.query('update users set is_admin = true where id = $1', [admin.userId])
  const accounts = [admin]
  while (accounts.length < SESSIONS) accounts.push(await newAccount(one))
  const tokens = accounts.map(({ accessToken }) => accessToken)
  const kids = new Set(tokens.map(kidOf))
  const verifier = startVerifier(other.url, issuer)
  const times: number[] = []
  const refusals: string[] = []
  const pending = new Set<Promise<void>>()
  const opened = await Promise.all(accounts.map(({ email }) => openSession(one.url, email)))

  const send = async (n: number) => {
    const server = servers[n % servers.length] ?? one
    const index = n % SESSIONS
    if (n % REFRESH_EVERY === 0) {
      const session = opened[(n / REFRESH_EVERY) % SESSIONS]
      const token = await session?.refresh(server.url)
      if (!token) return
      tokens[index] = token
      kids.add(kidOf(token))
      verifier.verify(token)
    }
    const client = createClient({ baseUrl: server.url, credential: tokens[index] ?? '' })
    const [ms] = await timed(() => client.call(me))
    times.push(ms)
  }
  await createClient({ baseUrl: one.url, credential: admin.accessToken }).call(rotateSigningKeys, {
    body: { reason: 'Benchmark.' },
  })
  let sent = 0
  const timer = setInterval(() => {
    const done = send(sent++).catch((error: Error) => void refusals.push(error.message))
    pending.add(done)
    void done.finally(() => pending.delete(done))
  }, 1000 / args.rate)
  await Bun.sleep(args.minutes * 60_000)
  clearInterval(timer)
  await Promise.all(pending)
  const verified = await verifier.results()
  console.log(
    `${sent} requests, ${refusals.length} refused; p50 ${quantile(times, 0.5).toFixed(2)} ms, p95 ${quantile(times, 0.95).toFixed(2)} ms`,
  )
  console.log(
    `${verified.length} tokens of ${kids.size} keys verified with the key set, ${verified.filter((result) => result !== 'ok').length} refused`,
  )
  for (const reason of new Set([...refusals, ...verified])) if (reason !== 'ok') console.log(reason)
}

await run()
