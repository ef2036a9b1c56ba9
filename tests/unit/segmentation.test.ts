import { expect, test } from 'bun:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { factsIn, factsInYielding } from '../../server/memory/facts/rules/index.ts'
import { separateWords } from '../../server/memory/text/segmentation.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Counts the turns of the event loop during the work. */
const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let isDone = false
  let turns = 0
  const end = work.finally(() => {
    isDone = true
  })
  for (; !isDone; turns++) await nextTurn()
  await end
  return turns
}

test('segmenting a long text in pieces yields the same words', async () => {
  const text = '我喜欢喝茶，因为它让我放松。我住在北京，สวัสดีชาวโลก Ada '.repeat(1_000)
  const words = Array.from(segmenter.segment(text), ({ segment }) => segment)
  expect(await separateWords(text)).toBe(words.join(' '))
})

test('extracting facts from a long memory yields to the event loop', async () => {
  const text = 'Remind me to call Ada every day at 5. My sister lives in Berlin. '.repeat(2_000)
  const origin = { author: null, occurredAt: null, now: new Date('2026-01-01') }
  const facts = factsInYielding(text, origin)
  expect(await turnsDuring(facts)).toBeGreaterThan(3)
  expect(await facts).toEqual(factsIn(text, origin))
})
