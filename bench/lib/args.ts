import { parseArgs } from 'node:util'

interface Option<T> {
  about: string
  fallback: string
  /** @returns undefined for an invalid value. */
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
  parse: (value) => value,
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
 * Reads the command line. `--help` prints the options and exits; an invalid option prints them and exits
 * with status 2.
 * @param usage a description of the script, with positional arguments such as `PATH`.
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
  const { help: wantsHelp, texts, positionals } = parse(Object.keys(options), fail)
  if (wantsHelp) {
    console.log(help)
    process.exit(0)
  }
  const values = entries.map(([name, option]) => {
    const text = texts[name] ?? option.fallback
    const value = option.parse(text)
    return [name, value === undefined ? fail(`Invalid value for --${name}: ${text}`) : value]
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
    const { help = false, ...texts } = values
    return { help, texts: texts as Record<string, string | undefined>, positionals }
  } catch (error) {
    return fail((error as Error).message)
  }
}
