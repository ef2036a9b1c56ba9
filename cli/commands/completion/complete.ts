import type { Command } from 'commander'
import { openCredentials } from '../../credentials.ts'
import { oneLine } from '../../output.ts'
import type { Bare } from '../../parse/run.ts'
import { openSettings } from '../../settings.ts'
import { candidatesFor } from './candidates.ts'

/** Answers a shell what could come next: a word and what it means in each line. */
export const complete = async (
  { io, environment }: Bare,
  program: Command,
  words: string[],
): Promise<void> => {
  const dynamic = (name: string) => (name === 'profile' ? profileNames(environment.configDir) : [])
  const { words: found, files } = candidatesFor(program, words, dynamic)
  const lines = found.map(({ word, about }) => `${word}\t${oneLine(about)}`)
  if (files) lines.push(':files')
  if (lines.length) io.print(lines.join('\n'))
}

/** Somebody who is typing is not told of damaged files. */
const profileNames = (configDir: string): string[] => {
  try {
    const stored = openCredentials(configDir)
      .list()
      .map(([name]) => name)
    return [...new Set([...stored, ...Object.keys(openSettings(configDir).read().profiles)])]
  } catch {
    return []
  }
}
