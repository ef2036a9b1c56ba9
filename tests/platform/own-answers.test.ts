import { describe, expect, test } from 'bun:test'
import { newVerifiedUser } from '../harness/http.ts'
import {
  newUser,
  PASSWORD,
  request,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'
import { dmUserOf, threadOf } from '../people/dm-support.ts'

const ADMIN = uniqueEmail()
const server = useServer({ SVC_ADMIN_EMAILS: ADMIN })
const TWENTY = 20

const twenty = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: TWENTY }, (_, index) => make(index)))
const call = async (
  user: Pick<TestUser, 'accessToken'>,
  method: string,
  path: string,
  body?: unknown,
) => {
  const options = { token: user.accessToken, ...(body !== undefined && { body }) }
  const answer = await request(server.current, method, `/api/${path}`, options)
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.body
}
const newSession = async (user: TestUser): Promise<string> =>
  (await call(user, 'POST', 'sessions', { title: 'One' })).id

/** Repeated, because a wrong answer takes two overlapping requests. */
const ROUNDS = 2

describe('each of twenty concurrent toggles returns the state that it set', () => {
  const alternates = async (toggle: () => Promise<boolean>) => {
    for (let round = 0; round < ROUNDS; round++) {
      const states = await twenty(toggle)
      expect(states.filter(Boolean)).toHaveLength(TWENTY / 2)
    }
  }

  for (const [name, field] of [
    ['pin', 'is_pinned'],
    ['archive', 'is_archived'],
  ] as const)
    test(`each concurrent ${name} of a chat session returns the state that it set`, async () => {
      const user = await newVerifiedUser(server.current)
      const id = await newSession(user)
      await alternates(async () => (await call(user, 'PUT', `sessions/${id}/${name}`))[field])
    })

  test('each concurrent archive of a direct-message thread returns the state that it set', async () => {
    const user = await newVerifiedUser(server.current)
    const peer = await dmUserOf(server.current, await newVerifiedUser(server.current))
    const thread = await threadOf(server.current, user, peer)
    await alternates(async () => (await call(user, 'PUT', `dm/threads/${thread}/archive`)).archived)
  })
})

describe('each of twenty concurrent writes returns the value that it wrote', () => {
  const own = async (write: (index: number) => Promise<[unknown, unknown]>) => {
    for (let round = 0; round < ROUNDS; round++)
      for (const [answered, written] of await twenty(write)) expect(answered).toEqual(written)
  }

  test('each concurrent change of a chat session’s category returns its own value', async () => {
    const user = await newVerifiedUser(server.current)
    const id = await newSession(user)
    const categories = await twenty((i) =>
      call(user, 'POST', 'sessions/categories', { name: `${i}` }),
    )
    await own(async (i) => {
      const { id: category_id, name } = categories[i]
      const moved = await call(user, 'PUT', `sessions/${id}/move`, { category_id })
      return [
        [moved.category_id, moved.category_name],
        [category_id, name],
      ]
    })
  })

  test('each concurrent change of a chat session’s title returns its own value', async () => {
    const user = await newVerifiedUser(server.current)
    const id = await newSession(user)
    await own(async (i) => {
      const title = `Title ${i}`
      return [(await call(user, 'PATCH', `sessions/${id}`, { title })).title, title]
    })
  })

  test('each concurrent change of the spend cap returns its own value', async () => {
    const user = await newUser(server.current)
    await own(async (i) => {
      const cap_usd = i === 0 ? null : i
      return [(await call(user, 'PUT', 'billing/payg-cap', { cap_usd })).cap_usd, cap_usd]
    })
  })

  test('each concurrent change of an account’s tier and state by an admin returns its own value', async () => {
    const body = { email: ADMIN, password: PASSWORD, confirm_password: PASSWORD }
    const signedUp = await request(server.current, 'POST', '/api/auth/signup', { body })
    const mail = await server.current.noticed(new RegExp(`^Mail to ${ADMIN} [^]*/verify\\?token=`))
    const token = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
    await request(server.current, 'POST', '/api/auth/verify-email', { body: { token } })
    const admin = { accessToken: signedUp.body.access_token as string }
    const user = await newUser(server.current)
    const tiers = ['amnesiac', 'awakened', 'conscious', 'payg']
    await own(async (i) => {
      const tier = tiers[i % tiers.length]
      const reason = 'test'
      return [
        (await call(admin, 'PUT', `admin/users/${user.id}/tier`, { tier, reason })).tier,
        tier,
      ]
    })
    await own(async (i) => {
      const what = i % 2 ? 'disable' : 'enable'
      const answer = await call(admin, 'POST', `admin/users/${user.id}/${what}`, { reason: 'test' })
      return [answer.disabled_at !== null, what === 'disable']
    })
  })
})
