import { onTestFinished } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { verify } from '../../bench/lib/pending.ts'
import { readConfig } from '../../server/config/config.ts'
import {
  backUpServer,
  checkDatabase,
  moveDatabase,
  operatorMessage,
  restoreBackup,
} from '../../server/operations.ts'
import { createLog } from '../../server/platform/log.ts'
import { start } from '../../server/start.ts'
import { createClient } from '../../shared/client.ts'
import {
  listMemories,
  memoryFacets,
  memoryStatistics,
  recall,
  rememberBatch,
} from '../../shared/contract/index.ts'
import { type Ended, newMachine } from '../cli/svc.ts'
import { makeDatabase } from '../embedded/support.ts'
import { createDatabase, SHORT_PAUSES } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { CHEAP_HASHING, newUser, type TestUser } from '../harness/server.ts'
import { exportOf } from '../memory/transfer-support.ts'

export { stop } from '../embedded/support.ts'

/** The variables that select a database. */
export interface Place {
  SVC_DATA_DIR: string
  SVC_DATABASE_URL?: string
  SVC_AUTH_SECRET?: string
}

type ServerPlace = Place & { SVC_DATABASE_URL: string }

/** A directory that is deleted after the test. */
export const scratch = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-system-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export const embeddedPlace = (): Place => ({ SVC_DATA_DIR: join(scratch(), 'data') })

/** A data directory as `svc serve` leaves it: a copy, because creating a database takes as long as most tests. */
export const preparedPlace = async (): Promise<Place> => {
  const place = embeddedPlace()
  await makeDatabase(place.SVC_DATA_DIR)
  return place
}

/** An empty database on the PostgreSQL server. */
export const serverPlace = async (): Promise<ServerPlace> => {
  const { env, drop } = await createDatabase({ isEmpty: true })
  onTestFinished(drop)
  return env
}

/** An empty database as `svc serve` leaves it, on the PostgreSQL server. */
export const startedPlace = async (): Promise<ServerPlace> => {
  const { env, drop } = await createDatabase()
  onTestFinished(drop)
  return env
}

/** Copies the data directory of a stopped server. */
export const copyOf = ({ SVC_DATA_DIR }: Place): Place => {
  const copy = embeddedPlace()
  const { exitCode, stderr } = Bun.spawnSync([
    ...['cp', '-a', '--reflink=auto'],
    ...[SVC_DATA_DIR, copy.SVC_DATA_DIR],
  ])
  if (exitCode !== 0) throw new Error(stderr.toString())
  return copy
}

const silent = () => {}

/** The operations of `svc admin` in this process: an `svc` takes half a second to start. */
export const operate = (place: Place) => ({
  backup: (path: string, overwrites = false) =>
    backUpServer(
      { ...place },
      {
        path,
        overwrites,
        hasSecret: true,
        passphrase: undefined,
        signal: new AbortController().signal,
        report: silent,
      },
    ),
  restore: (path: string, overwrites = false) =>
    restoreBackup({ ...place }, path, {
      overwrites,
      passphrase: () => Promise.reject(new Error('not encrypted')),
      report: silent,
    }),
  move: (to: string, options: { from?: string; overwrites?: boolean } = {}) =>
    moveDatabase({ ...place }, { overwrites: false, ...options, to, report: silent }),
  check: (repairs = false) => checkDatabase({ ...place }, { repairs, report: silent }),
})

/** The message of a refused operation, which `svc admin` prints. */
export const refusalOf = async (operation: Promise<unknown>): Promise<string> => {
  const error = await operation.then(
    () => new Error('the operation was not refused'),
    (reason: unknown) => reason,
  )
  const message = operatorMessage(error)
  if (message === undefined) throw error
  return message
}

/** Runs `svc admin …` with the variables of a place. */
export const admin = (place: Place, ...args: string[]) =>
  newMachine().svc(['admin', ...args], { env: { ...place } })

/** Runs `svc admin …`, which must succeed. @returns its JSON. */
export const adminJson = async (place: Place, ...args: string[]) =>
  jsonOf(args, await admin(place, ...args, '--json'))

/** Runs `svc admin …` in a folder without the variables of a server. It must succeed. @returns its JSON. */
export const adminJsonIn = async (folder: string, ...args: string[]) => {
  const machine = newMachine()
  machine.cwd = folder
  return jsonOf(args, await machine.svc(['admin', ...args, '--json']))
}

const jsonOf = (args: string[], { code, stdout, stderr }: Ended) => {
  if (code !== 0) throw new Error(`svc admin ${args.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Starts `svc admin …`, to kill it. */
export const spawnAdmin = (place: Place, ...args: string[]) => {
  const machine = newMachine()
  return Bun.spawn(machine.command('admin', ...args), {
    env: { ...machine.env, ...place },
    stdout: 'ignore',
    stderr: 'ignore',
  })
}

/** Runs work with a server on a place, in this process, which then stops in order. */
export const withServer = async <T>(
  place: Place,
  work: (url: string) => Promise<T>,
): Promise<T> => {
  const options = {
    hashing: CHEAP_HASHING,
    pauses: SHORT_PAUSES,
    log: createLog('silent'),
    notice: silent,
  }
  await using server = await start(
    readConfig({ SVC_PORT: '0', SVC_EMBEDDING: 'off', ...place }),
    options,
  )
  return await work(server.url)
}

const BATCH = 100
const SUBJECTS = ['harbour', 'garden', 'violin', 'glacier', 'market', 'lantern', 'orchard']
const ACTIONS = ['walked past the', 'painted the', 'remembered the', 'asked about the']

export const QUESTIONS = [
  'Who painted the lantern?',
  'What did Anna remember about the orchard in room 12?',
  'glacier',
]

/** Signs up a verified user with memories in threads, and waits until all are processed. */
export const populate = async (place: Place, url: string, count: number): Promise<TestUser> => {
  const user = await newUser({ url })
  await verify({ ...user, userId: user.id }, place.SVC_DATA_DIR)
  for (let start = 0; start < count; start += BATCH) {
    const memories = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => {
      const n = start + i
      const content = `${n % 2 ? 'Anna' : 'Ben'} ${ACTIONS[n % ACTIONS.length]} ${SUBJECTS[n % SUBJECTS.length]} in room ${n}.`
      return { content, thread: `thread ${n % 20}`, author: n % 2 ? 'Anna' : 'Ben' }
    })
    await user.client.call(rememberBatch, { body: { memories } })
  }
  await untilProcessed(user)
  return user
}

export const untilProcessed = async ({ client }: TestUser): Promise<void> => {
  await eventually(
    async () => (await client.call(memoryStatistics)).engines.every(({ pending }) => pending === 0),
    { within: 280_000 },
  )
}

/** The user on a server at another address. */
export const at = (user: TestUser, url: string): TestUser => ({
  ...user,
  client: createClient({ baseUrl: url, credential: user.key }),
})

/** The export of a user, and the results of recall with their scores. */
export const viewOf = async (user: TestUser, url: string) => {
  const { client } = at(user, url)
  const recalls = []
  for (const query of QUESTIONS) {
    const { memories } = await client.call(recall, { body: { query } })
    recalls.push(memories.map(({ memory_id, score }) => [memory_id, score]))
  }
  const facets = await client.call(memoryFacets)
  const byEvent = await pagesOf(async (cursor) => {
    const query = { sort: 'happened', limit: 100, ...(cursor && { cursor }) } as const
    const { memories, next_cursor } = await client.call(listMemories, { query })
    return { items: memories.map(({ memory_id }) => memory_id), next: next_cursor }
  })
  return { recalls, facets, byEvent, memories: await exportOf({ url }, user) }
}

const pagesOf = async <T>(
  read: (cursor: string | null) => Promise<{ items: T[]; next: string | null }>,
): Promise<T[]> => {
  const all: T[] = []
  let cursor: string | null = null
  do {
    const { items, next }: { items: T[]; next: string | null } = await read(cursor)
    all.push(...items)
    cursor = next
  } while (cursor)
  return all
}

/** Runs statements on the database of a server. @returns the rows of the last one. */
export const runSql = async (url: string, ...statements: string[]) => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = [...(await sql.unsafe(statement))]
    return rows
  } finally {
    await sql.end()
  }
}

/** Waits until a connection to the database runs a statement like `pattern`. */
export const untilStatement = async (url: string, pattern: string): Promise<void> => {
  const sql = postgres(url, { max: 1 })
  const running = () => sql`
    select from pg_stat_activity where datname = current_database() and query like ${pattern}
      and pid <> pg_backend_pid()`
  await eventually(async () => (await running()).length > 0, { every: 0 })
  await sql.end()
}

/** Kills `svc admin …`, and waits until PostgreSQL has ended its session, with the locks. */
export const killAdmin = async (child: Bun.Subprocess, url: string): Promise<void> => {
  child.kill('SIGKILL')
  await child.exited
  const sql = postgres(url, { max: 1 })
  const sessions = () => sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'svc admin'`
  await eventually(async () => (await sessions()).length === 0)
  await sql.end()
}

/** Waits until a starting server waits for the lock of the migrations. */
export const untilBlocked = async (url: string): Promise<void> => {
  const sql = postgres(url, { max: 1 })
  const blocked = () => sql`
    select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
      and query = 'select pg_advisory_xact_lock($1)'`
  await eventually(async () => (await blocked()).length > 0, { every: 0 })
  await sql.end()
}

/** Uploads a file as a verified user. @returns its id. */
export const upload = async (url: string, user: TestUser, text: string) => {
  const body = new FormData()
  body.append('file', new File([text], 'notes.txt'))
  const headers = { authorization: `Bearer ${user.key}` }
  const response = await fetch(new URL('/api/files', url), { method: 'POST', body, headers })
  if (response.status !== 201) throw new Error(`not uploaded: ${response.status}`)
  return ((await response.json()) as { id: string }).id
}

/** Waits until a server accepts connections. */
export const untilReady = async (url: string): Promise<void> => {
  await eventually(() => runSql(url, 'select').then(Boolean, () => false))
}
