const VOCABULARY = 30_000
/** Zipf and Mandelbrot's law: the word of rank r is as frequent as 1 / (r + OFFSET). */
const OFFSET = 5

export const AUTHORS = ['Anna', 'Bruno'] as const

export interface Turn {
  content: string
  thread: string
  author: string
}

/** Numbers in [0, 1), the same for the same seed (Mulberry32, T. Ettinger). */
export const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const ONSETS = ['b', 'br', 'd', 'dr', 'f', 'g', 'gl', 'h', 'k', 'l', 'm', 'n', 'p', 'st', 't', 'v']
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ou']
const CODAS = ['', 'l', 'm', 'n', 'r', 'k']

const words = (() => {
  const next = random(1)
  const pick = (list: string[]) => list[Math.floor(next() * list.length)] ?? ''
  const syllable = () => pick(ONSETS) + pick(VOWELS) + pick(CODAS)
  const found = new Set<string>()
  while (found.size < VOCABULARY)
    found.add(Array.from({ length: found.size < 2_000 ? 2 : 3 }, syllable).join(''))
  return [...found]
})()

const cumulative = (() => {
  let sum = 0
  return words.map((_, rank) => {
    sum += 1 / (rank + OFFSET)
    return sum
  })
})()

const drawWord = (next: () => number): string => {
  const wanted = next() * (cumulative.at(-1) ?? 0)
  let low = 0
  let high = words.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] ?? 0) < wanted) low = middle + 1
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

/** Conversations of two people, 10 to 50 turns each, until there are `size` turns. */
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

/** Asks after five words of a turn. */
export const questionAbout = ({ content, author }: Turn, next: () => number): string => {
  const asked = content.toLowerCase().match(/\w+/g) ?? []
  while (asked.length > 5) asked.splice(Math.floor(next() * asked.length), 1)
  return `What did ${author} ${asked.join(' ')}?`
}
