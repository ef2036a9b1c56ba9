/** The word that was probably meant, if one is near. */
export const nearest = (typed: string, words: readonly string[]): string | undefined => {
  const [best] = words
    .map((word) => ({
      word,
      distance: isBeginning(typed, word) ? 0 : distanceOf(typed.toLowerCase(), word),
    }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length * 0.4)))
    .sort((a, b) => a.distance - b.distance)
  return best?.word
}

/** One letter could be the beginning of anything. */
const isBeginning = (typed: string, word: string) =>
  typed.length > 1 && word.startsWith(typed.toLowerCase())

/** How many letters differ, are missing or are too many (Levenshtein). */
const distanceOf = (a: string, b: string): number => {
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
