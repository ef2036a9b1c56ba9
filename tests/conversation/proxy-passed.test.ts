import { expect, test } from 'bun:test'
import type { UpstreamCall } from '../harness/upstream.ts'
import { sends } from '../harness/upstream.ts'
import { failureOf, type ProxyUser, useProxy } from './proxy-support.ts'

const proxy = useProxy()

const lastCall = (): UpstreamCall => {
  const call = proxy.upstream.calls.at(-1)
  if (!call) throw new Error('the provider was not called')
  return call
}

const ID = 'resp_68a1'
const JSON_TYPE = { 'content-type': 'application/json' }

/** Requests of the real clients, and how the provider gets them. */
const REQUESTS: [name: string, ask: (user: ProxyUser) => PromiseLike<unknown>, sent: string][] = [
  ['models.list', ({ openai }) => openai.models.list(), 'GET /v1/models'],
  ['models.retrieve', ({ openai }) => openai.models.retrieve('a-model'), 'GET /v1/models/a-model'],
  [
    'models.retrieve of an id with a slash',
    ({ openai }) => openai.models.retrieve('maker/a-model:free'),
    'GET /v1/models/maker%2Fa-model:free',
  ],
  [
    'responses.retrieve',
    ({ openai }) => openai.responses.retrieve(ID, { include: ['file_search_call.results'] }),
    `GET /v1/responses/${ID}?include[]=file_search_call.results`,
  ],
  [
    'responses.inputItems.list',
    ({ openai }) => openai.responses.inputItems.list(ID, { limit: 5 }),
    `GET /v1/responses/${ID}/input_items?limit=5`,
  ],
  [
    'responses.cancel',
    ({ openai }) => openai.responses.cancel(ID),
    `POST /v1/responses/${ID}/cancel`,
  ],
  ['responses.delete', ({ openai }) => openai.responses.delete(ID), `DELETE /v1/responses/${ID}`],
  [
    'anthropic models.retrieve',
    ({ anthropic }) => anthropic.models.retrieve('a-model'),
    'GET /v1/models/a-model',
  ],
]

for (const [name, ask, sent] of REQUESTS)
  test(`${name} reaches the provider as it is, and does not count`, async () => {
    const user = await proxy.newUser()
    proxy.upstream.next(sends(['{"id":"x","object":"y","data":[]}'], 200, JSON_TYPE))
    expect(await ask(user)).toBeDefined()
    const { method, path } = lastCall()
    expect(`${method} ${decodeURI(path)}`).toBe(sent)
    expect(await user.messagesUsed()).toBe(0)
  })

test('an error of the provider for an unknown response passes', async () => {
  const user = await proxy.newUser()
  proxy.upstream.next(sends(['{"error":{"message":"no such response"}}'], 404, JSON_TYPE))
  expect(await failureOf(user.openai.responses.retrieve('resp_0'))).toMatchObject({
    status: 404,
    message: expect.stringContaining('no such response'),
  })
})

test('an id leads to no other endpoint of the provider', async () => {
  const user = await proxy.newUser()
  for (const id of [
    '..%2Forganization',
    '%2e%2e%2forganization',
    'a%2F..%2F..%2Fb',
    'a%252Fb',
    '%ff',
  ]) {
    const response = await fetch(`${proxy.server.url}/api/openai/v1/models/${id}`, {
      headers: { authorization: `Bearer ${user.key}` },
    })
    expect([id, response.status]).toEqual([id, 404])
  }
  expect(proxy.upstream.calls).toEqual([])
})
