import type { Command } from 'commander'

/** Other words for subcommands, for users who know them from other programs. */
const SYNONYMS: Readonly<Record<string, string[]>> = {
  list: ['ls'],
  show: ['view'],
  create: ['new'],
  delete: ['remove', 'rm'],
  revoke: ['delete'],
  settle: ['resolve'],
}

const IRREGULAR_SINGULARS: Readonly<Record<string, string>> = {
  memories: 'memory',
  categories: 'category',
  reflexes: 'reflex',
}

export const isNamed = (command: Command, word: string): boolean =>
  command.name() === word || command.aliases().includes(word)

/** Makes `svc memory ls` the same as `svc memories list`, where no other command has one of the words. */
export const addSynonyms = (program: Command): void => {
  for (const noun of program.commands.filter(({ commands }) => commands.length)) {
    addAliases(program, noun, [IRREGULAR_SINGULARS[noun.name()] ?? noun.name().replace(/s$/, '')])
  }
  addVerbSynonyms(program)
}

const addVerbSynonyms = (parent: Command): void => {
  for (const command of parent.commands) {
    addAliases(parent, command, SYNONYMS[command.name()] ?? [])
    addVerbSynonyms(command)
  }
}

const addAliases = (parent: Command, command: Command, words: string[]): void => {
  const isFree = (word: string) => !parent.commands.some((each) => isNamed(each, word))
  if (words.every(isFree)) for (const word of words) command.alias(word)
}
