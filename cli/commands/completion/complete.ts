import type { Command } from 'commander'
import { openCredentials } from '../../credentials.ts'
import { oneLine } from '../../output.ts'
import type { Invocation } from '../../parse/run.ts'
import { openSettingsFile } from '../../settings.ts'
import { candidatesFor } from './candidates.ts'

/** Prints the candidates for the shell: one word and its description per line. */
export const runComplete = async (
  { io, environment }: Invocation,
  program: Command,
  words: string[],
): Promise<void> => {
  const dynamic = (name: string) => (name === 'profile' ? profileNames(environment.configDir) : [])
  const { words: found, files } = candidatesFor(program, words, dynamic)
  const lines = found.map(({ word, about }) => `${word}\t${oneLine(about)}`)
  if (files) lines.push(':files')
  if (lines.length) io.print(lines.join('\n'))
}

/** Damaged files are ignored during completion. */
const profileNames = (configDir: string): string[] => {
  try {
    const stored = openCredentials(configDir)
      .list()
      .map(([name]) => name)
    return [...new Set([...stored, ...Object.keys(openSettingsFile(configDir).read().profiles)])]
  } catch {
    return []
  }
}
