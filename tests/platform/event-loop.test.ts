import { describe, expect, test } from 'bun:test'
import type { ImportReport } from '../../shared/contract/transfer.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { eventOf, floods, startModelServer } from '../harness/model-server.ts'
import { newUser, request, startServer, useServer } from '../harness/server.ts'

const server = useServer()

/** Ten health requests, one after the other. They finish quickly while the event loop is free. */
const askTenTimes = async () => {
  for (let i = 0; i < 10; i++) {
    const { status } = await request(server.current, 'GET', '/api/health')
    if (status !== 200) throw new Error(`health answered ${status}`)
  }
}

const importing = async (body: string) => {
  const { key } = await newUser(server.current)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' }
  const url = new URL('/api/memories/import', server.current.url)
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, body: (await response.json()) as ImportReport }
}

/** Returns which of the two finished first. */
const first = <T>(work: Promise<T>, others: Promise<unknown>) =>
  Promise.race([work.then(() => 'the import'), others.then(() => 'the requests')])

describe('the server answers other requests while it reads an import', () => {
  test('an import of a list of 200,000 numbers does not block other requests', async () => {
    const work = importing(`[${'1,'.repeat(200_000)}1]`)
    expect(await first(work, askTenTimes())).toBe('the requests')
    const { status, body } = await work
    expect([status, body.failed_count, body.failed.length]).toEqual([200, 200_001, 1_000])
  })

  test('an import of one record of 20 MB does not block other requests', async () => {
    const chat_messages = Array.from({ length: 200_000 }, (_, i) => ({
      sender: 'tool',
      text: `${i} ${'x'.repeat(60)}`,
    }))
    const work = importing(JSON.stringify([{ uuid: 'x', chat_messages }]))
    expect(await first(work, askTenTimes())).toBe('the requests')
    expect((await work).status).toBe(200)
  })
})

test('the server answers other requests while a model reasons without an end', async () => {
  await using model = await startModelServer()
  await using chatting = await startServer({
    SVC_OPENAI_BASE_URL: model.url,
    SVC_CHAT_MODEL: 'a-model',
  })
  const { key } = await newVerifiedUser(chatting)
  model.always(floods(eventOf({ content: '<think> so on and ' })))
  const work = request(chatting, 'POST', '/api/chat', { token: key, body: { message: 'Tea?' } })
  await model.nextCall()
  const others = Array.from({ length: 10 }, () => request(chatting, 'GET', '/api/health'))
  const finished = await Promise.race([
    work.then(() => 'the chat'),
    Promise.all(others).then((answers) => answers.map(({ status }) => status)),
  ])
  expect(finished).toEqual(Array(10).fill(200))
  expect((await work).body.message.content).toContain('No model could answer just now')
})

describe('text that takes a regular expression quadratic time is read', () => {
  test('a Claude export with a heading of 60,000 spaces is imported', async () => {
    const conversations_memory = `# ${' '.repeat(60_000)}x\n\nAda likes tea.\n\n${' '.repeat(60_000)}# a`
    const { status, body } = await importing(JSON.stringify([{ conversations_memory }]))
    expect([status, body.imported, body.failed_count]).toEqual([200, 2, 0])
  })

  test('a chat message of long addresses and repeated brackets is answered', async () => {
    const { key } = await newVerifiedUser(server.current)
    const units = ['(', ')', '<     ', '/* ', "'‘ "]
    const texts = [
      `http://${'_'.repeat(31_980)}x`,
      ...units.map((unit) => unit.repeat(31_900 / unit.length)),
    ]
    for (const message of texts) {
      const { status } = await request(server.current, 'POST', '/api/chat', {
        token: key,
        body: { message },
      })
      expect(status).toBe(200)
    }
  })
})
