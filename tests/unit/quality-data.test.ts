import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holds } from '../../bench/quality/ask.ts'
import { hashOf, readConversations } from '../../bench/quality/data.ts'

const withFile = async (samples: object, use: (path: string, text: string) => void) => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-quality-'))
  try {
    const path = join(directory, 'data.json')
    const text = JSON.stringify(samples)
    await Bun.write(path, text)
    use(path, text)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const LONG_MEM_EVAL = {
  question_id: 'q1',
  question_type: 'single-session-user',
  question: 'Which colour is the boiler?',
  answer: 7,
  question_date: '2023/05/30 (Tue) 23:40',
  answer_session_ids: ['s2'],
  haystack_session_ids: ['s1', 's2'],
  haystack_dates: ['2023/05/20 (Sat) 02:21', '2023/05/21 (Sun) 10:00'],
  haystack_sessions: [
    [
      { role: 'user', content: 'Good morning.' },
      { role: 'assistant', content: ' ' },
    ],
    [
      { role: 'user', content: 'The boiler is green.', has_answer: true },
      { role: 'assistant', content: 'Noted.', has_answer: false },
    ],
  ],
}

test('a question of LongMemEval is a conversation with its sessions as threads', async () => {
  await withFile([LONG_MEM_EVAL], (path, text) => {
    expect(readConversations(path)).toEqual([
      {
        name: 'q1',
        memories: [
          {
            id: 's1:1',
            thread: 's1',
            author: 'user',
            occurredAt: '2023-05-20T02:21:00.000Z',
            content: 'Good morning.',
          },
          {
            id: 's2:1',
            thread: 's2',
            author: 'user',
            occurredAt: '2023-05-21T10:00:00.000Z',
            content: 'The boiler is green.',
          },
          {
            id: 's2:2',
            thread: 's2',
            author: 'assistant',
            occurredAt: '2023-05-21T10:00:00.000Z',
            content: 'Noted.',
          },
        ],
        questions: [
          {
            question: 'Which colour is the boiler?',
            category: 'single-session-user',
            evidence: ['s2:1'],
            answer: '7',
          },
        ],
      },
    ])
    expect(hashOf(path)).toBe(createHash('sha256').update(text).digest('hex'))
  })
})

test('a question of LongMemEval that no turn answers is left out', async () => {
  const haystack_sessions = [[{ role: 'user', content: 'Good morning.' }]]
  await withFile([{ ...LONG_MEM_EVAL, haystack_sessions }], (path) => {
    expect(readConversations(path)[0]?.questions).toEqual([])
  })
})

test.each([
  ['It was 7 May 2023.', 'May 7, 2023', true],
  ['It was the week before 9 June 2023, 29 May–4 June 2023.', 'The week before 9June, 2023.', true],
  ['summer 2022', 'in summer 2022', true],
  ['17 May 2023', '7 May 2023', false],
  ['It was 2022.', '', false],
])('whether “%s” holds “%s” is %p', (text, answer, isHeld) => {
  expect(holds(text, answer)).toBe(isHeld)
})

test('notes are read with both of their questions, and a store with its own', async () => {
  const note = { content: 'The key is blue.', direct: 'Is the key blue?', otherwise: 'Which hue?' }
  await withFile([note], (path) => {
    expect(readConversations(path)).toEqual([
      {
        name: 'notes',
        memories: [{ id: note.content, content: note.content }],
        questions: [
          { question: note.direct, category: 'direct', evidence: [note.content] },
          { question: note.otherwise, category: 'in other words', evidence: [note.content] },
        ],
      },
    ])
  })
  const memories = [{ id: 'f1', content: 'def f(): pass' }]
  const questions = [
    { question: 'do nothing', evidence: ['f1'] },
    { question: 'without evidence', evidence: ['f2'] },
  ]
  await withFile({ memories, questions }, (path) => {
    expect(readConversations(path)).toEqual([
      {
        name: 'store',
        memories,
        questions: [{ question: 'do nothing', category: 'all', evidence: ['f1'] }],
      },
    ])
  })
})
