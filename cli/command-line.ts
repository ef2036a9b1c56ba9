import type { Context } from './context.ts'
import { quoteWord } from './executable.ts'

type Options = Record<string, string | number | boolean | undefined>

/** A command to copy into a shell. It repeats the options that chose server and organization. */
export const commandLine = (
  { sources, url, profileName, org }: Context,
  words: string[],
  options: Options,
): string =>
  [
    ...['svc', ...words].map(quoteWord),
    ...optionWords({
      ...options,
      url: sources.url === '--url' ? url : undefined,
      profile: sources.profile === '--profile' ? profileName : undefined,
      org: sources.org === '--org' ? org : undefined,
    }),
  ].join(' ')

const optionWords = (options: Options): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, quoteWord(String(value))]
  })
