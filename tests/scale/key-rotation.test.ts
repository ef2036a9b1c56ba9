import { expect, setDefaultTimeout, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { decodeProtectedHeader } from 'jose'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { newUser, request, type TestUser } from '../harness/server.ts'
import { PUBLISHED_MINUTES, passKeyTime } from '../harness/signing-keys.ts'
import { type Member, SHARED, startMember } from './support.ts'

setDefaultTimeout(180_000)

const VERIFIER = fileURLToPath(new URL('token-verifier.ts', import.meta.url))
const SKEWED_CLOCK = fileURLToPath(new URL('skewed-clock.ts', import.meta.url))
const ADMIN = 'admin@example.com'
const PARALLEL_REQUESTS = 8
const REQUESTS = 100
/** Each of these requests refreshes a token instead of using one. */
const REFRESH_EVERY = 10

const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? ''

type Server = Pick<Member, 'url'>

/** Two servers on one database, and an admin. */
const startDeployment = async (skews: [number, number] = [0, 0]) => {
  await using opened = new AsyncDisposableStack()
  const database = await createDatabase()
  opened.defer(database.drop)
  const start = (skew: number) =>
    startMember(
      'all',
      {
        ...SHARED,
        ...database.env,
        SVC_ADMIN_EMAILS: ADMIN,
        SVC_TRUSTED_PROXIES: '127.0.0.1',
        TEST_CLOCK_SKEW: String(skew),
      },
      skew ? ['--preload', SKEWED_CLOCK] : [],
    )
  const members = await Promise.all(skews.map(start))
  for (const member of members) opened.use(member)
  const [one, other] = members as [Member, Member]
  const admin = await newUser(one, ADMIN)
  await runSql(database, `update users set email_verified = true where email = '${ADMIN}'`)
  const owned = opened.move()
  return { one, other, database, admin, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** A new token of the session of a user. */
const newToken = async (server: Server, { refreshToken }: TestUser): Promise<string> => {
  const { status, body } = await request(server, 'POST', '/api/auth/refresh', {
    cookie: refreshToken,
  })
  if (status !== 200) throw new Error(`refresh: ${status}`)
  return body.access_token
}

const rotate = async (server: Server, admin: TestUser): Promise<string> => {
  const rotated = await request(server, 'POST', '/api/admin/signing-keys/rotate', {
    token: await newToken(server, admin),
    body: {},
  })
  if (rotated.status !== 200) throw new Error(`not rotated: ${rotated.text}`)
  return rotated.body.keys[0].kid
}

const publishes = async (server: Server, kid: string): Promise<boolean> => {
  const { body } = await request(server, 'GET', '/.well-known/jwks.json')
  return body.keys.some((key: { kid: string }) => key.kid === kid)
}

/** Another program that knows the key set only. */
const startVerifier = ({ url }: Server) => {
  const child = Bun.spawn([process.execPath, VERIFIER, url, SHARED.SVC_BASE_URL], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const results: string[] = []
  const reading = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      results.push(...lines)
    }
  })()
  const send = (line: string) => {
    child.stdin.write(`${line}\n`)
    child.stdin.flush()
  }
  return {
    results,
    verify: send,
    pass: (minutes: number) => send(`+${minutes * 60}`),
    async end() {
      child.stdin.end()
      await reading
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Uses old and new tokens at both servers. */
const createLoad = (servers: Server[], user: TestUser, onToken: (token: string) => void) => {
  const tokens = [user.accessToken]
  const refusals: string[] = []
  let sent = 0

  const refresh = async (server: Server) => {
    const token = await newToken(server, user)
    tokens.push(token)
    onToken(token)
  }
  const use = async (server: Server, n: number) => {
    // The newest token at once, then older ones.
    const token = tokens[Math.max(0, tokens.length - 1 - (n % 3) * (n % 7))]
    const { status } = await request(server, 'GET', '/api/me', { ...(token && { token }) })
    if (status !== 200) throw new Error(`${kidOf(token ?? '')}: ${status}`)
  }
  const send = async (n: number): Promise<void> => {
    const refreshes = n % REFRESH_EVERY === 0
    const server = servers[(refreshes ? n / REFRESH_EVERY : n) % servers.length] as Server
    const work = refreshes ? refresh(server) : use(server, n)
    await work.catch((error: Error) => void refusals.push(error.message))
  }
  return {
    refusals,
    newestKid: () => kidOf(tokens.at(-1) ?? ''),
    /** Sends some requests, several at a time. */
    async run(count: number): Promise<void> {
      const end = sent + count
      const work = async () => {
        while (sent < end) await send(sent++)
      }
      await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work))
    },
  }
}

test('keys rotate under load, and neither two servers nor a program with the key set refuse a token', async () => {
  await using deployment = await startDeployment()
  const { one, other, database, admin } = deployment
  await using verifier = startVerifier(other)
  const user = await newUser(one)
  verifier.verify(user.accessToken)
  const load = createLoad([one, other], user, verifier.verify)
  const kids = [kidOf(user.accessToken)]
  for (const server of [one, other]) {
    const [next] = await Promise.all([rotate(server, admin), load.run(REQUESTS)])
    await eventually(() => publishes(one, next))
    await eventually(() => publishes(other, next))
    expect(load.newestKid()).toBe(kids.at(-1) ?? '')
    verifier.pass(PUBLISHED_MINUTES)
    await Promise.all([passKeyTime(database, PUBLISHED_MINUTES), load.run(REQUESTS)])
    await eventually(async () => {
      await load.run(REFRESH_EVERY)
      return load.newestKid() === next
    })
    kids.push(next)
  }
  await load.run(REQUESTS)
  await verifier.end()
  expect(load.refusals).toEqual([])
  expect([...new Set(verifier.results)]).toEqual(kids)
  expect(verifier.results.length).toBeGreaterThan(2 * kids.length)
  for (const member of [one, other]) expect(await member.stop()).toBe(0)
})

test('after kill -9 between the publication of a key and its first signature, both servers sign with it', async () => {
  await using deployment = await startDeployment()
  const { one, other, database, admin } = deployment
  const user = await newUser(one)
  const next = await rotate(one, admin)
  one.signal('SIGKILL')
  await one.ended()
  await eventually(() => publishes(other, next))
  await one.start()
  expect(await publishes(one, next)).toBe(true)
  expect(kidOf(await newToken(one, user))).toBe(kidOf(user.accessToken))
  await passKeyTime(database, PUBLISHED_MINUTES)
  for (const server of [one, other]) {
    await eventually(async () => kidOf(await newToken(server, user)) === next)
    const { status } = await request(server, 'GET', '/api/me', { token: user.accessToken })
    expect(status).toBe(200)
  }
})

test('servers whose clocks are five minutes early and late accept the tokens of each other, and rotate together', async () => {
  await using deployment = await startDeployment([300, -300])
  const { one, other, database, admin } = deployment
  await using verifier = startVerifier(other)
  const user = await newUser(one)
  const expectAccepted = async () => {
    for (const issuer of [one, other]) {
      const accessToken = await newToken(issuer, user)
      verifier.verify(accessToken)
      for (const server of [one, other]) {
        const { status } = await request(server, 'GET', '/api/me', { token: accessToken })
        expect(status).toBe(200)
      }
    }
  }
  await expectAccepted()
  const next = await rotate(one, admin)
  await eventually(() => publishes(other, next))
  await expectAccepted()
  verifier.pass(PUBLISHED_MINUTES)
  await passKeyTime(database, PUBLISHED_MINUTES)
  for (const server of [one, other])
    await eventually(async () => kidOf(await newToken(server, user)) === next)
  await expectAccepted()
  await verifier.end()
  expect(verifier.results.filter((result) => result.startsWith('refused'))).toEqual([])
  expect(verifier.results.slice(-2)).toEqual([next, next])
})
