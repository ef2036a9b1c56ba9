import { expect, test } from 'bun:test'
import { withRelativeScores } from '../../shared/score.ts'

test('relative scores are from 0 to 1, and their explanations still add up', () => {
  const factors = {
    author: 1.5,
    dialogue: 1,
    date: 1,
    change: 1,
    prior: 1,
    feedback: 1,
  }
  const memory = (words: number) => {
    const parts = { words, coverage: 0.5, semantic: 3, time: 0, fact: 0 }
    return { score: (words * 0.5 + 3) * 1.5, explanation: { ...parts, ...factors } }
  }
  const [best, other] = withRelativeScores([memory(8), memory(2)])
  expect(best?.score).toBe(1)
  expect(other?.score).toBeCloseTo(4 / 7)
  const { words = 0, coverage = 0, semantic = 0 } = other?.explanation ?? {}
  expect((words * coverage + semantic) * 1.5).toBeCloseTo(4 / 7)
  expect(withRelativeScores([{ score: 0 }])).toEqual([{ score: 0 }])
  expect(withRelativeScores([])).toEqual([])
})
