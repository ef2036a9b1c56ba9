import { join } from 'node:path'
import { redactSecrets } from '../shared/secrets.ts'
import { count, readArgs } from './lib/args.ts'
import { FIFTH_SET, FOURTH_SET, SECOND_SET, THIRD_SET } from './lib/later-secret-forms.ts'
import { LOOKALIKES, sampleLines } from './lib/plain-lines.ts'
import { changedLines, missedForms } from './lib/secret-figures.ts'
import { FORMS, HELD_BACK } from './lib/secret-forms.ts'
import { timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/secrets.ts: the forms of credentials that are found, the lines of prose, code and logs that are changed, and the time of a text',
  { lines: count('number of lines without credentials', 1000) },
)

const percent = (part: number, all: number): string => `${((100 * part) / all).toFixed(2)} %`
const list = (title: string, lines: readonly string[]): void => {
  for (const line of lines) console.log(`${title}: ${line.trim().slice(0, 160)}`)
}

const lines = [
  ...LOOKALIKES,
  ...(await sampleLines(join(import.meta.dir, '..'), args.lines - LOOKALIKES.length)),
]
const rows: string[][] = []
for (const [name, forms] of [
  ['forms of the rules', FORMS],
  ['forms held back', HELD_BACK],
  ['second set', SECOND_SET],
  ['third set', THIRD_SET],
  ['fourth set', FOURTH_SET],
  ['fifth set', FIFTH_SET],
] as const) {
  const missed = await missedForms(forms)
  const found = forms.length - missed.length
  rows.push([name, `${forms.length}`, `${found}`, percent(found, forms.length)])
  list('missed', missed)
}
const changed = await changedLines(lines)
list('changed', changed)
rows.push([
  'lines changed',
  `${lines.length}`,
  `${changed.length}`,
  percent(changed.length, lines.length),
])
printTable(['what', 'tried', 'number', 'share'], rows)

const text = lines.join('\n')
const [ms] = await timed(() => redactSecrets(text))
console.log(`${text.length.toLocaleString('en')} characters at once: ${ms.toFixed(0)} ms`)
