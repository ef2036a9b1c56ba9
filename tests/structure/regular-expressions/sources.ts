import { Glob } from 'bun'
import { parseSync } from 'oxc-parser'

/** The folders with the source. */
export const ROOTS = ['server', 'shared', 'cli', 'mcp', 'clients']

/** A regular expression of the source. */
export interface Expression {
  file: string
  source: string
  flags: string
  /** Length of the longest input in characters, from a comment `Reads at most 400 characters: why` above it. */
  bound?: number
}

export interface Sources {
  literals: Expression[]
  /** The place of a `new RegExp`, as `file:line`, with the bound stated there. */
  constructions: Map<string, number | undefined>
}

/** @param root the clone, or another directory with the source of a commit; ends with a slash. */
export const sourceFiles = (root: string): string[] =>
  ROOTS.flatMap((folder) => [...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync(root)])
    // Examples run when they are imported.
    .filter((path) => !path.includes('/examples/'))
    .sort()

interface Node {
  type: string
  start: number
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const each of value) yield* nodesOf(each)
  else if (value && typeof value === 'object') {
    if ('type' in value) yield value as Node
    for (const each of Object.values(value)) yield* nodesOf(each)
  }
}

/** A bound is stated on the line of the expression, or on one of the three above it. */
const COMMENT_LINES = 3

const boundAt = (lines: string[], line: number): { bound?: number } => {
  const near = lines.slice(Math.max(0, line - COMMENT_LINES), line + 1).join('\n')
  const [, bound] = /Reads at most (\d+) characters/.exec(near) ?? []
  return bound ? { bound: Number(bound) } : {}
}

/** Every literal and every construction in the source files. */
export const readSources = async (root: string): Promise<Sources> => {
  const found: Sources = { literals: [], constructions: new Map() }
  for (const file of sourceFiles(root)) {
    const text = await Bun.file(`${root}${file}`).text()
    const lines = text.split('\n')
    for (const node of nodesOf(parseSync(file, text).program)) {
      const line = text.slice(0, node.start).split('\n').length - 1
      if (node.type === 'Literal' && node.regex)
        found.literals.push({
          file,
          source: node.regex.pattern,
          flags: node.regex.flags,
          ...boundAt(lines, line),
        })
      if (/^(New|Call)Expression$/.test(node.type) && node.callee?.name === 'RegExp')
        found.constructions.set(`${file}:${line + 1}`, boundAt(lines, line).bound)
    }
  }
  return found
}
