import { readFileSync } from 'node:fs'
import { repositoryFile } from '../../platform/files.ts'

/** A name in lower case and without accents, as it is in `geonames/towns.txt`. */
export const foldName = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss').normalize('NFC')

/** The towns that have a name, by folded name; loaded on first use. */
let townsByName: Map<string, Set<number>> | undefined

const loadTowns = (): Map<string, Set<number>> => {
  const towns = new Map<string, Set<number>>()
  const file = repositoryFile('server/memory/identity/geonames/towns.txt')
  const lines = readFileSync(file, 'utf8').split('\n')
  for (const [town, line] of lines.entries())
    for (const name of line.split(',')) towns.set(name, (towns.get(name) ?? new Set()).add(town))
  return towns
}

/** Whether two different names may be of the same town, in two languages: "Lissabon" is Lisbon. */
export const isSameTown = (one: string, other: string): boolean => {
  townsByName ??= loadTowns()
  const towns = townsByName.get(foldName(one))
  const others = townsByName.get(foldName(other))
  return (
    one !== other && towns !== undefined && others !== undefined && !towns.isDisjointFrom(others)
  )
}
