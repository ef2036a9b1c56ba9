import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hasPrograms } from '../harness/programs.ts'
import { call } from './python-call.ts'
import { says } from './scripted-server.ts'

setDefaultTimeout(120_000)

describe.skipIf(!hasPrograms('python3'))('an iterator over pages of the Python client', () => {
  const lists: [
    name: string,
    expression: string,
    pages: unknown[],
    items: unknown[],
    queries: string[],
  ][] = [
    [
      'a cursor',
      'list(svc.memories.list_memories_all(thread="t"))',
      [
        { memories: [{ memory_id: 'a' }, { memory_id: 'b' }], next_cursor: 'b' },
        { memories: [{ memory_id: 'c' }], next_cursor: null },
      ],
      [{ memory_id: 'a' }, { memory_id: 'b' }, { memory_id: 'c' }],
      ['thread=t', 'cursor=b&thread=t'],
    ],
    [
      'the last item of a page',
      'list(svc.files.list_files_all(limit=1))',
      [[{ id: 'a' }], [{ id: 'b' }], []],
      [{ id: 'a' }, { id: 'b' }],
      ['limit=1', 'before=a&limit=1', 'before=b&limit=1'],
    ],
    [
      'the first item of a page that is oldest first',
      'list(svc.chat_sessions.list_chat_messages_all("s"))',
      [[{ id: 'b' }, { id: 'c' }], [{ id: 'a' }], []],
      [{ id: 'c' }, { id: 'b' }, { id: 'a' }],
      ['', 'before=b', 'before=a'],
    ],
    [
      'the number of a page',
      'list(svc.agents.agent_timeline_all("x"))',
      [
        { slug: 'x', entries: [1], has_more: true, page: 1 },
        { slug: 'x', entries: [2], has_more: false, page: 2 },
      ],
      [1, 2],
      ['', 'page=2'],
    ],
    [
      'a cursor that repeats itself',
      'list(svc.memories.list_memories_all())',
      [{ memories: [{ memory_id: 'a' }], next_cursor: 'a' }],
      [{ memory_id: 'a' }, { memory_id: 'a' }],
      ['', 'cursor=a'],
    ],
    [
      'a loop that is left',
      '[next(svc.memories.list_memories_all()) for _ in range(1)]',
      [{ memories: [{ memory_id: 'a' }], next_cursor: 'a' }],
      [{ memory_id: 'a' }],
      [''],
    ],
  ]
  for (const [name, expression, pages, items, queries] of lists)
    test(`all pages are read by ${name}`, async () => {
      const outcome = await call(
        expression,
        pages.map((page) => says(200, page)),
      )
      expect(outcome.result).toEqual(items)
      const sent = outcome.received.map(({ path }: { path: string }) => path.split('?')[1] ?? '')
      expect(sent.map((query: string) => query.split('&').toSorted().join('&'))).toEqual(queries)
    })

  test('a page that fails is requested again as its list is', async () => {
    const busy = says(503, { detail: 'Busy' })
    const first = says(200, { memories: [{ memory_id: 'a' }], next_cursor: 'a' })
    const last = says(200, { memories: [], next_cursor: null })
    const outcome = await call('list(svc.memories.list_memories_all())', [first, busy, last])
    expect(outcome).toMatchObject({ result: [{ memory_id: 'a' }] })
    expect(outcome.received).toHaveLength(3)
  })
})
