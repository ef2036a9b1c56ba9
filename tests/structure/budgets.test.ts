import { describe, expect, test } from 'bun:test'
import { budgets } from '../../server/platform/budgets.ts'

const rows = Object.entries(budgets)

const number = (value: number) => value.toLocaleString('en')

const sizeOf = (bytes: number): string => {
  if (bytes % 1024 ** 2 === 0) return `${number(bytes / 1024 ** 2)} MiB`
  return bytes % 1024 === 0 ? `${number(bytes / 1024)} KiB` : `${number(bytes)} bytes`
}

const timeOf = (ms: number): string => {
  if (ms >= 60_000) return `${ms / 60_000} min`
  return ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`
}

/** How the documentation writes a limit of each kind; others have the name of the kind. */
const FORMATS: Record<string, (value: number) => string> = {
  bytes: sizeOf,
  characters: (value) => `${number(value)} characters`,
  ms: timeOf,
  cpuMs: (value) => `${timeOf(value)} of processor time`,
  memory: (value) => `${sizeOf(value)} of memory`,
  memoryOfPasses: (value) => `${sizeOf(value)} in all passes`,
  bytesPerSecond: (value) => `${sizeOf(value)}/s`,
  depth: (value) => `${number(value)} levels`,
  names: (value) => `${number(value)} names`,
  values: (value) => `${number(value)} values`,
  ratio: (value) => `${number(value)} to 1`,
  count: number,
}

const limitsOf = ({ enforcedBy: _, ...limits }: (typeof budgets)[keyof typeof budgets]): string =>
  Object.entries<number>(limits)
    .map(([kind, value]) => FORMATS[kind]?.(value) ?? `${number(value)} ${kind}`)
    .join(', ')

test('docs/reference/limits.md lists each budget with its limits, in the order of the file', async () => {
  const page = await Bun.file('docs/reference/limits.md').text()
  const section = page.split('\n## Foreign input\n')[1]?.split('\n## ')[0] ?? ''
  const listed = [...section.matchAll(/^\| `(\w+)` \|[^|]+\| ([^|]+) \|$/gm)].map((match) =>
    match.slice(1).join(': '),
  )
  expect(listed).toEqual(rows.map(([name, budget]) => `${name}: ${limitsOf(budget)}`))
})

describe('the file that enforces a budget reads each of its limits', () => {
  for (const [name, { enforcedBy, ...limits }] of rows)
    test(name, async () => {
      const files = [enforcedBy].flat()
      const sources = await Promise.all(files.map((file) => Bun.file(file).text()))
      for (const [i, source] of sources.entries())
        expect([files[i], source]).toEqual([files[i], expect.stringMatching(readsRow(name))])
      const unread = Object.keys(limits).filter(
        (kind) => !sources.some((source) => readsLimit(name, kind).test(source)),
      )
      expect(unread).toEqual([])
    })
})

const readsRow = (name: string) =>
  new RegExp(`budgets\\.${name}\\b|\\b${name}\\b[^=]*\\} = budgets`)

/** A limit is read as `budgets.row.kind`, or from a variable or a parameter that has the row. */
const readsLimit = (name: string, kind: string) =>
  new RegExp(
    `budgets\\.${name}\\.${kind}\\b|budgets\\.${name}\\b(?!\\.)|\\b${name}\\b[^=]*\\} = budgets`,
  )
