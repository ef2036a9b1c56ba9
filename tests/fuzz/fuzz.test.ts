import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { contract, type Endpoint, errorStatuses, protocols } from '../../shared/contract/index.ts'
import { claimAdmin } from '../admin/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  newAddress,
  once,
  PASSWORD,
  type RequestOptions,
  request,
  startServer,
  type TestServer,
} from '../harness/server.ts'
import { type DmUser, dmUserOf } from '../people/dm-support.ts'
import { type Case, textCases, wrongCases } from './corpus.ts'
import { createFixtures, createOrgFixtures } from './fixtures.ts'
import { type Outcome, sendCase } from './send.ts'
import { TEXTS } from './texts.ts'

setDefaultTimeout(120_000)

let server: TestServer
let admin: DmUser
let other: DmUser
beforeAll(async () => {
  // No name resolves: no page is fetched, and no webhook sent.
  server = await startServer({}, undefined, { fetching: { resolve: async () => [] } })
  admin = await dmUserOf(server, await newVerifiedUser(server))
  await claimAdmin(server, admin)
  other = await dmUserOf(server, await newVerifiedUser(server))
})
afterAll(() => server.stop())

const AT_ONCE = 4
/** Each endpoint gets one of this many texts, and all endpoints together get all texts. */
const STEP = 4

/** Describes the error of a response; undefined if there is none. */
const faultOf = ({ status, body }: Outcome, allowed: readonly number[]): string | undefined => {
  if (status >= 500 && !allowed.includes(status)) return `status ${status}`
  if (status < 400) return undefined
  const { detail, error } = (body ?? {}) as { detail?: unknown; error?: unknown }
  const isError = detail !== undefined || typeof error === 'string'
  return isError ? undefined : `${status} without an error body: ${JSON.stringify(body)}`
}

const all = [...contract, ...protocols.filter(({ tag }) => tag === 'SCIM')]

const reads = ({ method }: Endpoint): boolean => method === 'GET'

/** Endpoints that read come first: a rotation of the signing keys ends all sessions. */
const rows = [...all.filter(reads), ...all.filter((row) => !reads(row))]

const create = async (method: string, path: string, options: RequestOptions) => {
  const created = await request(server, method, path, options)
  if (created.status >= 300) throw new Error(`${path} answered ${created.status}: ${created.text}`)
  return created.body
}

/** The admin in a new session. */
const signedInAdmin = async (): Promise<DmUser> => {
  const body = { email: admin.email, password: PASSWORD }
  const { access_token: accessToken } = await create('POST', '/api/auth/signin', { body })
  return { ...admin, accessToken }
}

/** A user with the rows that requests name. */
const newCaller = async ({ isAdmin, hasOrg }: { isAdmin: boolean; hasOrg: boolean }) => {
  const user = isAdmin ? await signedInAdmin() : await newVerifiedUser(server)
  // The admin may disable or delete the account.
  const target = isAdmin ? await dmUserOf(server, await newVerifiedUser(server)) : other
  const org = hasOrg
    ? await createOrgFixtures(
        (token, path, body) => create('POST', path, { token, body }),
        user.accessToken,
      )
    : undefined
  const rows = await createFixtures(
    (method, path, body) => create(method, path, { token: user.key, body }),
    target,
  )
  return { user, scimToken: org?.token, ids: { ...rows, ...org?.ids } }
}

type Caller = Awaited<ReturnType<typeof newCaller>>

const readers = {
  user: once(() => newCaller({ isAdmin: false, hasOrg: true })),
  admin: once(() => newCaller({ isAdmin: true, hasOrg: true })),
}

/** A request that reads leaves the rows of its caller as they are. */
const callerFor = (row: Endpoint): Promise<Caller> => {
  const isAdmin = row.adminOnly === true
  if (reads(row)) return isAdmin ? readers.admin() : readers.user()
  return newCaller({ isAdmin, hasOrg: row.tag === 'SCIM' || row.path.includes('{org_id}') })
}

describe('every endpoint answers any request with its declared statuses and error bodies', () => {
  for (const [index, row] of rows.entries())
    test(`${row.method} ${row.path}`, async () => {
      const { user, scimToken, ids } = await callerFor(row)
      const userToken = row.credential === 'bearer' ? user.key : user.accessToken
      const token = (row.tag === 'SCIM' && scimToken) || userToken
      const texts = TEXTS.filter((_, place) => (place + index) % STEP === 0)
      const cases: Case[] = [...wrongCases(row, ids), ...textCases(row, ids, texts)]
      const faults: string[] = []
      const sendNext = async (): Promise<void> => {
        for (let next = cases.shift(); next; next = cases.shift()) {
          const outcome = await sendCase(server.url, row, next, { token, from: newAddress() })
          const fault = faultOf(outcome, errorStatuses(row))
          if (fault) faults.push(`${next.title}: ${fault}`)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
      expect(faults).toEqual([])
    })
})
