import { stripControls } from '../../output.ts'

/** Above this number of compared pairs of lines, the whole region between equal lines is shown as changed. */
const MAX_PAIRS = 4_000_000

/** The changed lines: removed ones with `-`, added ones with `+`. */
export const formatDiff = (before: string, after: string): string => {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const most = Math.min(old.length, fresh.length)
  let start = 0
  while (start < most && old[start] === fresh[start]) start++
  let end = 0
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  const lines = changedLines(
    old.slice(start, old.length - end),
    fresh.slice(start, fresh.length - end),
  )
  return stripControls(lines.join('\n'))
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

/** The shortest list of changes, from the longest common subsequence. */
const changedLines = (old: readonly string[], fresh: readonly string[]): string[] => {
  const minus = (line = '') => `- ${line}`
  const plus = (line = '') => `+ ${line}`
  if (old.length * fresh.length > MAX_PAIRS) return [...old.map(minus), ...fresh.map(plus)]
  const width = fresh.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) [i, j] = [i + 1, j + 1]
    else if (j === fresh.length || (i < old.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push(minus(old[i++]))
    else lines.push(plus(fresh[j++]))
  }
  return lines
}
