/** The closest word, if it is close enough to be a typing error. */
export const nearestWord = (typed: string, words: readonly string[]): string | undefined => {
  const [best] = words
    .map((word) => ({
      word,
      distance: isPrefix(typed, word) ? 0 : levenshteinDistance(typed.toLowerCase(), word),
    }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length * 0.4)))
    .sort((a, b) => a.distance - b.distance)
  return best?.word
}

/** A single letter is a prefix of too many words. */
const isPrefix = (typed: string, word: string) =>
  typed.length > 1 && word.startsWith(typed.toLowerCase())

const levenshteinDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min(
          (row[j] ?? 0) + (letter === other ? 0 : 1),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
