import { pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import postgres from 'postgres'
import { createClient } from '../shared/client.ts'
import { signIn } from '../shared/contract/index.ts'
import { importUsers } from '../shared/contract/user-import.ts'
import { count, readArgs } from './lib/args.ts'
import { kill } from './lib/crash.ts'
import { createDatabase } from './lib/database.ts'
import { growthDuring } from './lib/resident.ts'
import { type BenchServer, newAccount, nextAddress, startServer } from './lib/server.ts'
import { median, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/user-import.ts: imports users with four kinds of hashes, kills the server in the middle, repeats the import, and signs users in',
  {
    users: count('number of users', 100_000),
    'sign-ins': count('number of users of each kind who sign in', 50),
  },
)

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const unpadded = (bytes: Uint8Array) => base64(bytes).replace(/={1,2}$/, '')
const SALT = randomBytes(16)

/** Hashes with the costs that the documentation of their systems recommends. */
const KINDS: Record<string, (password: string) => Promise<unknown>> = {
  'bcrypt, cost 10': (password) => Bun.password.hash(password, { algorithm: 'bcrypt', cost: 10 }),
  'argon2id, 19 MiB': (password) =>
    Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 }),
  'scrypt, 16 MiB': async (password) => ({
    kind: 'scrypt',
    n: 16_384,
    r: 8,
    p: 1,
    salt: base64(SALT),
    hash: base64(scryptSync(password, SALT, 64, { N: 16_384, r: 8, p: 1 })),
  }),
  'PBKDF2, 600,000': async (password) =>
    `$pbkdf2-sha256$i=600000$${unpadded(SALT)}$${unpadded(
      pbkdf2Sync(password, SALT, 600_000, 32, 'sha256'),
    )}`,
}

const names = Object.keys(KINDS)
const passwordOf = (i: number) => `pass phrase ${names[i % names.length]}`
const hashes = await Promise.all(names.map((name, i) => KINDS[name]?.(passwordOf(i))))
const emailOf = (i: number) => `user-${i}@example.com`

/** The file is generated as it is read. */
const file = (): ReadableStream<Uint8Array> => {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      if (next >= args.users) return controller.close()
      const lines: string[] = []
      for (const end = Math.min(next + 200, args.users); next < end; next++)
        lines.push(
          JSON.stringify({
            email: emailOf(next),
            email_verified: true,
            display_name: `User ${next}`,
            password_hash: hashes[next % names.length],
          }),
        )
      controller.enqueue(Buffer.from(`${lines.join('\n')}\n`))
    },
  })
}

await using database = await createDatabase('postgres')
const sql = postgres(database.url as string, { max: 1, onnotice: () => {} })
const stored = async () =>
  Number((await sql`select count(*) from users where email like 'user-%'`)[0]?.count)

const adminClient = async (server: BenchServer) => {
  const { email, accessToken } = await newAccount(server)
  await sql`update users set is_admin = true, email_verified = true where email = ${email}`
  return createClient({ baseUrl: server.url, credential: accessToken, timeoutMs: 3_600_000 })
}

const killed = await startServer(database)
let outcome: unknown
const interrupted = (await adminClient(killed)).call(importUsers, { file: file() }).then(
  (report) => {
    outcome = report
  },
  (error) => {
    outcome = error
  },
)
while ((await stored()) < args.users / 2) {
  if (outcome) throw new Error('the import ended before half of it', { cause: outcome })
  await Bun.sleep(20)
}
kill(killed.pid)
await interrupted
await killed[Symbol.asyncDispose]()
const kept = await stored()

await using server = await startServer(database)
const admin = await adminClient(server)
const [ms, [mib, report]] = await timed(() =>
  growthDuring(server.pid, () => admin.call(importUsers, { file: file() })),
)
const { imported, existing, failed_count } = report
if (imported !== args.users - kept || existing !== kept || failed_count > 0)
  throw new Error(`${kept} were kept, then ${JSON.stringify(report)}`)
if ((await stored()) !== args.users) throw new Error('users are missing')

const signInAs = async (i: number, password: string) => {
  const [time, response] = await timed(() =>
    fetch(new URL(signIn.path, server.url), {
      method: signIn.method,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
      body: JSON.stringify({ email: emailOf(i), password }),
    }),
  )
  await response.arrayBuffer()
  return { time, status: response.status }
}

const rows: (string | number)[][] = []
const step = Math.max(1, Math.floor(args.users / names.length / args['sign-ins']))
for (const [kind, name] of names.entries()) {
  const times: Record<'wrong' | 'first' | 'second', number[]> = { wrong: [], first: [], second: [] }
  for (let n = 0; n < args['sign-ins'] && n * step * names.length + kind < args.users; n++) {
    const i = n * step * names.length + kind
    const wrong = await signInAs(i, 'another password')
    const first = await signInAs(i, passwordOf(kind))
    const second = await signInAs(i, passwordOf(kind))
    if (wrong.status !== 401 || first.status !== 200 || second.status !== 200)
      throw new Error(`user ${i}: ${wrong.status}, ${first.status}, ${second.status}`)
    for (const [key, { time }] of Object.entries({ wrong, first, second }))
      times[key as keyof typeof times].push(time)
  }
  const { wrong, first, second } = times
  rows.push([name, first.length, ...[wrong, first, second].map((each) => median(each).toFixed(0))])
}
await sql.end()

const number = (value: number) => value.toLocaleString('en')
console.log(
  `\n${number(args.users)} users: ${number(kept)} stored when the server was killed; the repetition found them and imported ${number(imported)} in ${(ms / 1000).toFixed(1)} s (${number(Math.round(args.users / (ms / 1000)))} lines/s, peak growth ${Math.round(mib)} MiB)\n`,
)
printTable(['hash', 'signed in', 'wrong password ms', 'first sign-in ms', 'second ms'], rows)
