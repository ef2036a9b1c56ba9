import type { Command } from 'commander'
import { oneLine } from '../../output.ts'
import type { Invocation } from '../../parse/define.ts'
import { truncateToWidth } from '../../table.ts'
import { candidatesFor } from './candidates.ts'
import { completeValue } from './values.ts'

const MAX_ABOUT_WIDTH = 60

/** Prints the candidates for the shell: one word and its description per line. */
export const runComplete = async (
  invocation: Invocation,
  program: Command,
  words: string[],
): Promise<void> => {
  const { words: found, files } = await candidatesFor(program, words, (request) =>
    completeValue(invocation, request),
  )
  const lines = found.map(
    ({ word, about }) => `${word}\t${truncateToWidth(oneLine(about), MAX_ABOUT_WIDTH)}`,
  )
  if (files) lines.push(':files')
  if (lines.length) invocation.io.print(lines.join('\n'))
}
