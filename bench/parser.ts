import { toSearchText } from '../server/memory/text/segmentation.ts'
import type { Database } from '../server/platform/db/database.ts'
import { count, counts, oneOf, readArgs, text } from './lib/args.ts'
import { createDatabase, kindsOf } from './lib/database.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/parser.ts: the time that to_tsvector takes for repeated characters (ms), as they are and as svc stores them',
  {
    sizes: counts('lengths of the texts', [8_000, 16_000, 32_000]),
    raw: count('the longest text that is also parsed as it is', 8_000),
    units: count('number of random strings that are repeated, besides the known ones', 3_000),
    rows: count('the slowest random strings to print', 10),
    rounds: count('how often each text is parsed; the shortest time counts', 3),
    seed: count('seed of the random strings', 1),
    language: text('the text search configuration', 'english'),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

/** Repeated, each is slow in another state of the parser. */
const KNOWN = [
  ...['_a', 'a@1', '1@a ', './', '/~', 'a-1-', '2024-01-01T', 'a_1.b-', 'a.b@c.d/', 'a_'],
  ...['<!--', '<!-- a ', '<!-- > -', '<a ', '<a "', `<a '"`, '<a "\\', '<?x ', '<!D ', '<script> '],
  ...[
    '&a',
    '&a-_',
    'http://a.bc/',
    '1e-',
    '-1.1',
    'é-',
    'é_',
    'word ',
    'unbrokenword',
    '我',
    '\u2028@a1',
  ],
]
const ALPHABET = [...`__--..//::@@@<<>!!--&;=?#%+~~'"11aaaeETZ,\\  é我\n`]

/** Random strings of one to eight characters, the same for a seed (mulberry32). */
const randomUnits = (): string[] => {
  let state = args.seed
  const random = (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  return Array.from({ length: args.units }, () =>
    Array.from({ length: 1 + random(8) }, () => ALPHABET[random(ALPHABET.length)] ?? '').join(''),
  )
}

const fill = (unit: string, size: number) =>
  unit.repeat(Math.ceil(size / unit.length)).slice(0, size)

const PARSE = `
select extract(epoch from clock_timestamp() - s.at) * 1000 as ms
from (select clock_timestamp() as at offset 0) s
cross join lateral (select length(to_tsvector($1::regconfig, $2)) as words, s.at offset 0) w
where w.words >= 0`

/** The shortest time, because other processes may delay one. */
const measure = async ({ query }: Database, text: string): Promise<number> => {
  const times: number[] = []
  for (let round = 0; round < args.rounds; round++) {
    const [row] = await query<{ ms: string }>(PARSE, [args.language, text])
    times.push(Number(row?.ms))
  }
  return Math.min(...times)
}

/** The times of a text of each size in the stored form. */
const measureUnit = async (database: Database, unit: string) => {
  const stored: number[] = []
  for (const size of args.sizes)
    stored.push(await measure(database, await toSearchText(fill(unit, size))))
  return { unit, stored }
}

const shown = (ms: number) => ms.toFixed(1)
const growth = (times: number[]) => ((times.at(-1) ?? 0) / (times.at(-2) ?? 1)).toFixed(1)

for (const kind of kindsOf(args.database)) {
  await using created = await createDatabase(kind)
  const database = await created.open()
  const rows = []
  for (const unit of KNOWN) {
    const { stored } = await measureUnit(database, unit)
    const asItIs = await measure(database, fill(unit, args.raw))
    rows.push([JSON.stringify(unit), shown(asItIs), ...stored.map(shown), growth(stored)])
  }
  const found = []
  for (const unit of randomUnits()) found.push(await measureUnit(database, unit))
  found.sort((a, b) => (b.stored.at(-1) ?? 0) - (a.stored.at(-1) ?? 0))
  for (const { unit, stored } of found.slice(0, args.rows))
    rows.push([JSON.stringify(unit), '', ...stored.map(shown), growth(stored)])
  await database.close()
  console.log(kind)
  const sizes = args.sizes.map((size) => `stored ${size}`)
  printTable(['repeated', `as it is ${args.raw}`, ...sizes, 'growth'], rows)
}
