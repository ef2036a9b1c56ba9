/**
 * Runs in its own process: imports every module of the source in the current directory with a `RegExp`
 * that records each construction, and prints these, with the patterns of the contract's schemas.
 */
import { sourceFiles } from './sources.ts'

const ROOT = `${process.cwd()}/`

export interface Constructed {
  /** `file:line`. */
  place: string
  source: string
  flags: string
}

const constructed: Constructed[] = []

/** The place in the source where a regular expression is constructed. */
const placeOf = (stack: string): string | undefined =>
  stack
    .split('\n')
    .map((line) => /\(?((?:\/)[^():]+):(\d+)(?::\d+)?\)?$/.exec(line))
    .find((frame) => frame?.[1]?.startsWith(ROOT) && !frame[1].includes('regular-expressions/'))
    ?.slice(1, 3)
    .join(':')
    .slice(ROOT.length)

const record = (made: RegExp): RegExp => {
  const place = placeOf(new Error().stack ?? '')
  if (place && !place.includes('node_modules'))
    constructed.push({ place, source: made.source, flags: made.flags })
  return made
}

globalThis.RegExp = new Proxy(RegExp, {
  construct: (target, args) => record(Reflect.construct(target, args)),
  apply: (target, self, args) => record(Reflect.apply(target, self, args)),
})

/** Importing these starts a process. */
const PROGRAMS = /(^|\/)(main|document-process|image-process|record-process|encoder-process)\.ts$/

const patternsIn = (value: unknown, place: string, seen = new Set<unknown>()): void => {
  if (!value || typeof value !== 'object' || seen.has(value)) return
  seen.add(value)
  const { type, pattern } = value as { type?: unknown; pattern?: unknown }
  if (type === 'string' && typeof pattern === 'string')
    constructed.push({ place, source: pattern, flags: 'u' })
  for (const each of Object.values(value)) patternsIn(each, place, seen)
}

for (const file of sourceFiles(ROOT).filter((name) => !PROGRAMS.test(name))) {
  const module = await import(`${ROOT}${file}`)
  if (file.startsWith('shared/')) patternsIn(module, `${file}:schema`)
}
console.log(JSON.stringify(constructed))
process.exit(0)
