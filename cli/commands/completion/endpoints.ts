import { endpoints, isStartOf, methods, parseMethod } from '../api/endpoints.ts'
import type { ShellCompletion } from './candidates.ts'

/** The candidates for `[METHOD] PATH`. Segments that are typed replace those of the contract. */
export const completeEndpoint = (before: string[], typed: string): ShellCompletion[] => {
  const method = parseMethod(before[0] ?? '')
  if (before.length > 1 || (before.length === 1 && !method)) return []
  const paths = pathsFrom(typed, method)
  const named = before.length ? [] : methods.map((word) => ({ word, about: 'method' }))
  return [...named, ...paths]
}

const pathsFrom = (typed: string, method: string | undefined): ShellCompletion[] => {
  const root = typed.startsWith('/') || typed === '' ? '' : '/'
  const segments = `${root}${typed || '/'}`.split('/')
  const complete = segments.slice(0, -1)
  const abouts = new Map<string, string[]>()
  for (const row of endpoints) {
    const path = row.path.split('/')
    if ((method && row.method !== method) || !isStartOf(complete, path)) continue
    const word = [...complete, ...path.slice(complete.length)].join('/')
    const about = method ? row.summary : `${row.method} ${row.summary}`
    abouts.set(word, [...(abouts.get(word) ?? []), about])
  }
  return [...abouts].map(([word, about]) => ({
    word: word.slice(root.length),
    about: about.join('; '),
  }))
}
