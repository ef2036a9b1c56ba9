import type { Explanation } from '../../../shared/contract/recall.ts'
import { h } from './dom.ts'

/** Smaller parts and factors change nothing that is shown. */
const ROUNDING = 0.0005

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })
export const format = (value: number): string => NUMBER.format(value)

/** The addends of a score, in words. */
const PARTS = {
  words: 'Words of the question',
  semantic: 'Similar meaning',
  time: 'The time in the question',
  fact: 'A fact that the question asks for, or its id',
} as const

/** Its factors. */
const FACTORS = {
  author: 'Author in the question, or your own words',
  dialogue: 'Answers or asks a question',
  date: 'The time in the question',
  change: 'Changed since',
  prior: 'Important or recent',
  feedback: 'Marked as not relevant',
} as const

const keys = <T extends object>(object: T) => Object.keys(object) as (keyof T)[]

/** The parts of a score, and what they are multiplied by. */
export const explanationList = (explanation: Explanation): HTMLElement => {
  const parts = keys(PARTS)
    .map((name) => ({
      label: PARTS[name],
      value: name === 'words' ? explanation.words * explanation.coverage : explanation[name],
    }))
    .filter(({ value }) => value >= ROUNDING)
  const factors = keys(FACTORS).filter((name) => Math.abs(explanation[name] - 1) >= ROUNDING)
  return h(
    'ul',
    { class: 'explanation' },
    ...parts.map(({ label, value }) => h('li', {}, `${label}: ${format(value)}`)),
    ...factors.map((name) => h('li', {}, `${FACTORS[name]}: ×${format(explanation[name])}`)),
  )
}
