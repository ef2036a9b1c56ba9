import { expect, test } from 'bun:test'
import { formatBlock } from '../../server/prompt/context/block.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'

const memory = (content_text: string, author: string | null = null): RecalledMemory => ({
  memory_id: crypto.randomUUID(),
  content_text,
  author,
  score: 1,
  agent_slug: null,
  project: null,
  memory_type: 'episodic',
  importance: 0.5,
  tags: [],
  thread: null,
  position: null,
  source: { kind: 'prompt', ref: null, trust: 'user' },
  metadata: {},
  org_id: null,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-01T10:00:00.000Z',
  occurred_at: null,
  valid_from: null,
  valid_to: null,
  supersedes: null,
  superseded_by: null,
})

const blockOf = (identity: string[], memories: RecalledMemory[], maxTokens: number) => {
  const input = { question: 'Where do we deploy to?', project: undefined, timezone: 'UTC' }
  const steps = formatBlock({ ...input, identity, memories, maxTokens })
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value
}

const LONG = 'We deploy to Hetzner in Helsinki, from the branch main. '.repeat(20)
const NOTES = '# Deployment\n\n\n- Use Hetzner.\n\n- Never use AWS.\n'

const CASES: [name: string, identity: string[], memories: RecalledMemory[]][] = [
  ['one memory', [], [memory('We deploy to Hetzner.')]],
  ['a long memory', [], [memory(LONG)]],
  ['a memory of several paragraphs', [], [memory(NOTES)]],
  ['several memories', [], [memory(LONG), memory('We deploy to Hetzner.'), memory(NOTES)]],
  ['a blank author', [], [memory('We deploy to Hetzner.', '  ')]],
  ['an invisible memory', [], [memory('\u200b'), memory('\u2060 \u200d')]],
  ['one word without an end', [], [memory('x'.repeat(900))]],
  [
    'a language without spaces',
    [],
    [memory('私たちはヘルシンキのサーバーに配備します。'.repeat(9))],
  ],
  ['the identity alone', ['name: Ada;', 'home: Lisbon;'], []],
  ['a long identity', [`name: ${'Ada '.repeat(60)};`], [memory('We deploy to Hetzner.')]],
  ['an identity without sentences', ['a;'.repeat(200)], [memory(LONG)]],
  ['notes of several paragraphs', ['name: Ada;', NOTES, LONG], [memory(LONG)]],
  ['a blank identity', ['', ' \n ', '\u200b'], [memory('We deploy to Hetzner.')]],
]

test.each(CASES)(
  'with any budget a block of %s has no line without content',
  (_, identity, memories) => {
    for (let budget = 1; budget <= 400; budget += 1) {
      const { text, memories: given, tokens, hasIdentity } = blockOf(identity, memories, budget)
      if (text === '') {
        expect({ given, tokens, hasIdentity }).toEqual({ given: [], tokens: 0, hasIdentity: false })
        continue
      }
      expect(tokens).toBeLessThanOrEqual(budget)
      const lines = text.split('\n').slice(2, -1)
      expect(lines).toHaveLength(given.length + (hasIdentity ? 1 : 0))
      for (const line of lines)
        expect(line).toMatch(/^(?:The user:|- \d{4}-\d\d-\d\d(?: \d\d:\d\d)?:) .*[\p{L}\p{N}]/u)
    }
  },
)

test('a budget gives the statements of an identity that fit', () => {
  const identity = ['name: Ada;', LONG, 'home: Lisbon;']
  expect(blockOf(identity, [], 90).text).toContain('The user: name: Ada; home: Lisbon;')
  expect(blockOf(identity, [], 300).text).toMatch(/The user: name: Ada; We deploy .* home: Lisbon;/)
  expect(blockOf(identity.slice(1, 2), [], 150).text).toMatch(/The user: We deploy .* …/)
})
