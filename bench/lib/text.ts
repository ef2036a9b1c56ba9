import vocabulary from '../../server/memory/engines/embedding/minilm/tokenizer.json' with {
  type: 'json',
}

/** Zipf–Mandelbrot law: the frequency of the word of rank r is proportional to 1 / (r + OFFSET). */
const OFFSET = 5

export const AUTHORS = ['Anna', 'Bruno'] as const

export interface Turn {
  content: string
  thread: string
  author: string
}

/** A seeded generator of numbers in [0, 1) (Mulberry32, T. Ettinger). */
export const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** About the most frequent first, without the shortest, most of which are stop words. */
const words = Object.keys(vocabulary.model.vocab).filter((word) => /^[a-z]{4,}$/.test(word))

const cumulative = (() => {
  let sum = 0
  return words.map((_, rank) => {
    sum += 1 / (rank + OFFSET)
    return sum
  })
})()

const drawWord = (next: () => number): string => {
  const target = next() * (cumulative.at(-1) ?? 0)
  let low = 0
  let high = words.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] ?? 0) < target) low = middle + 1
    else high = middle
  }
  return words[low] ?? ''
}

const between = (next: () => number, min: number, max: number) =>
  min + Math.floor(next() * (max - min + 1))

const sentence = (next: () => number): string => {
  const text = Array.from({ length: between(next, 5, 25) }, () => drawWord(next)).join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${next() < 0.2 ? '?' : '.'}`
}

/** Generates conversations of two people with 10 to 50 turns each, `size` turns in total. */
export const conversations = (size: number, seed: number): Turn[] => {
  const next = random(seed)
  const turns: Turn[] = []
  for (let number = 1; turns.length < size; number++) {
    const length = Math.min(between(next, 10, 50), size - turns.length)
    for (let i = 0; i < length; i++)
      turns.push({
        content: sentence(next),
        thread: `conversation ${number}`,
        author: AUTHORS[next() < 0.5 ? 0 : 1],
      })
  }
  return turns
}

/** A question with up to five words of a turn. */
export const questionAbout = ({ content, author }: Turn, next: () => number): string => {
  const chosen = content.toLowerCase().match(/\w+/g) ?? []
  while (chosen.length > 5) chosen.splice(Math.floor(next() * chosen.length), 1)
  return `What did ${author} ${chosen.join(' ')}?`
}
