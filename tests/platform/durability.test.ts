import { expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase } from '../harness/database.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request } from '../harness/server.ts'

// Creating a first database takes seconds.
setDefaultTimeout(120_000)

const remember = (url: string, token: string, content: string) =>
  request({ url }, 'POST', '/api/remember', { token, body: { content, thread: 'loop' } })

const contents = async (url: string, token: string): Promise<string[]> => {
  const found: string[] = []
  for (let cursor = ''; ; ) {
    const page = await request({ url }, 'GET', `/api/memories?limit=100${cursor}`, { token })
    expect(page.status).toBe(200)
    for (const memory of page.body.memories) found.push(memory.content_text)
    if (!page.body.next_cursor) return found
    cursor = `&cursor=${page.body.next_cursor}`
  }
}

test('every acknowledged write of several users exists once after a kill -9 during writes', async () => {
  const database = await createDatabase()
  await using first = spawnServer(database.env)
  const url = await first.url
  const users = [await newUser({ url }), await newUser({ url }), await newUser({ url })]
  const writers = users.map(({ key }) => ({ key, acknowledged: [] as string[] }))

  let count = 0
  const enough = Promise.withResolvers<void>()
  const write = async ({ key, acknowledged }: (typeof writers)[number], name: number) => {
    for (let i = 0; ; i++) {
      const content = `memory ${name}-${i}`
      const answer = await remember(url, key, content).catch(() => undefined)
      if (!answer) return
      expect(answer.status).toBe(201)
      acknowledged.push(content)
      if (++count >= 120) enough.resolve()
    }
  }
  const writing = writers.flatMap((writer) => [1, 2, 3, 4].map((name) => write(writer, name)))
  await enough.promise
  first.child.kill('SIGKILL')
  await Promise.all(writing)

  await using second = spawnServer(database.env)
  for (const { key, acknowledged } of writers) {
    const there = await contents(await second.url, key)
    expect(acknowledged.filter((content) => !there.includes(content))).toEqual([])
    expect(new Set(there).size).toBe(there.length)
    expect((await remember(await second.url, key, 'after the fall')).body.position).toBe(
      there.length + 1,
    )
  }
  second.child.kill('SIGTERM')
  await second.result()
  await database.drop()
})

test('SIGTERM finishes the requests in progress, and the server exits with 0', async () => {
  const database = await createDatabase()
  await using server = spawnServer(database.env)
  const url = await server.url
  const { key } = await newUser({ url })

  const begun = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const encode = (text: string) => controller.enqueue(new TextEncoder().encode(text))
      encode('{"content":"said before ')
      begun.resolve()
      await rest.promise
      encode('the end"}')
      controller.close()
    },
  })
  const slow = fetch(new URL('/api/remember', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  await begun.promise
  // This response arrives after the server has begun the other request.
  await request({ url }, 'GET', '/api/me', { token: key })
  server.child.kill('SIGTERM')
  await refusesNew(url)
  rest.resolve()
  expect((await slow).status).toBe(201)
  expect((await server.result()).code).toBe(0)

  await using again = spawnServer(database.env)
  expect(await contents(await again.url, key)).toEqual(['said before the end'])
  again.child.kill('SIGTERM')
  await again.result()
  await database.drop()
})

/** Resolves once the server accepts no more connections. */
const refusesNew = async (url: string): Promise<void> => {
  const answered = await fetch(new URL('/api/health', url), {
    headers: { connection: 'close' },
  }).then(
    () => true,
    () => false,
  )
  if (answered) await refusesNew(url)
}
