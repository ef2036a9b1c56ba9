import { type AnalyzedQuestion, nameWords } from '../text/analyzer.ts'
import { NONE, type OwnerIndex } from './owner-index.ts'

/**
 * The projects that a question asked in one project may be answered from: this one, and those that the question
 * names, by their whole name or by its last part ("acme/shop" or "shop"). A part of one word is a name only where
 * no memory of this project or of none has the word: "app" is mostly the one at hand.
 */
export const projectsOf = (
  index: OwnerIndex,
  inProject: string,
  { words, stems }: Pick<AnalyzedQuestion, 'words' | 'stems'>,
): string[] => {
  const home = index.projectIds.get(inProject)
  const places = new Map(words)
  const isUsedAtHome = (at: readonly number[]): boolean =>
    stems
      .filter(([, , positions]) => positions.some((position) => at.includes(position)))
      .some(([, term]) =>
        index
          .docsWith(term)
          .some((doc) => index.projects[doc] === NONE || index.projects[doc] === home),
      )
  const isNamedBy = (name: readonly string[]): boolean => {
    const [first = '', ...rest] = name
    return (places.get(first) ?? []).some((start) =>
      rest.every((word, i) => places.get(word)?.includes(start + i + 1)),
    )
  }
  const isNamed = (project: string): boolean => {
    const part = nameWords(project.split('/').at(-1) ?? '')
    if (!isNamedBy(part)) return false
    const [word = ''] = part
    return part.length > 1 || isNamedBy(nameWords(project)) || !isUsedAtHome(places.get(word) ?? [])
  }
  return [
    inProject,
    ...[...index.projectIds.keys()].filter((name) => name !== inProject && isNamed(name)),
  ]
}
