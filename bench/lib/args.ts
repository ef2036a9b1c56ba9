import { parseArgs } from 'node:util'

interface Option<T> {
  about: string
  fallback: string
  /** Returns undefined for what it does not take. */
  parse(text: string): T | undefined
}

const whole = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined)

export const count = (about: string, fallback: number): Option<number> => ({
  about,
  fallback: String(fallback),
  parse: whole,
})

export const counts = (about: string, fallback: number[]): Option<number[]> => ({
  about,
  fallback: fallback.join(','),
  parse: (text) => {
    const numbers = text.split(',').map(whole)
    return numbers.every((number) => number !== undefined) ? numbers : undefined
  },
})

export const text = (about: string, fallback: string): Option<string> => ({
  about,
  fallback,
  parse: (given) => given,
})

export const oneOf = <const T extends string>(
  about: string,
  values: readonly T[],
  fallback: T,
): Option<T> => ({
  about: `${about}: ${values.join(', ')}`,
  fallback,
  parse: (text) => values.find((value) => value === text),
})

type Values<O> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never }

/**
 * Reads the command line. `--help` prints what there is and ends the program; a mistake prints it
 * too, and ends it with 2.
 * @param usage what the program does, with `PATH` and the like where it takes them.
 */
export const readArgs = <O extends Record<string, Option<unknown>>>(
  usage: string,
  options: O,
): { values: Values<O>; positionals: string[] } => {
  const entries = Object.entries(options)
  const help = [
    usage,
    '',
    ...entries.map(([name, o]) => `  --${name.padEnd(12)} ${o.about} (${o.fallback})`),
  ].join('\n')
  const fail = (message: string): never => {
    console.error(`${message}\n\n${help}`)
    process.exit(2)
  }
  const { help: wantsHelp, given, positionals } = parse(Object.keys(options), fail)
  if (wantsHelp) {
    console.log(help)
    process.exit(0)
  }
  const values = entries.map(([name, option]) => {
    const text = given[name] ?? option.fallback
    const value = option.parse(text)
    return [name, value === undefined ? fail(`--${name} does not take ${text}`) : value]
  })
  return { values: Object.fromEntries(values), positionals }
}

const parse = (names: string[], fail: (message: string) => never) => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])),
      },
    })
    const { help = false, ...given } = values
    return { help, given: given as Record<string, string | undefined>, positionals }
  } catch (error) {
    return fail((error as Error).message)
  }
}
