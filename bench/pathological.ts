import { rmSync } from 'node:fs'
import { type Measured, measureAll, startMeasuredServer } from '../tests/fuzz/cost.ts'
import { pathologicalTexts } from '../tests/fuzz/pathological.ts'
import { count, readArgs, text } from './lib/args.ts'
import { temporaryDirectory } from './lib/database.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/pathological.ts: processor time and memory of requests with pathological texts in every field (Linux)',
  {
    seed: count('N', 1),
    texts: count('number of texts for each place', 4),
    drawn: count('number of random units among the texts', 100),
    endpoints: text('only endpoints whose path starts with one of these, with commas between', '/'),
    seconds: count('bound of the processor time of a request', 1),
    mib: count('bound of the memory that a request adds', 100),
    minutes: count('time after which no request is started', 60),
    worst: count('number of requests in the table', 40),
  },
)

const dataDir = temporaryDirectory()
const measured: Measured[] = []
const above = ({ seconds, mib }: Measured) => seconds > args.seconds || mib > args.mib
const cells = (m: Measured) => [
  m.row,
  m.place,
  m.text,
  m.status,
  m.seconds.toFixed(2),
  m.mib.toFixed(0),
]
const texts = pathologicalTexts(args.seed, args.drawn)
const endsAt = performance.now() + args.minutes * 60_000
try {
  await using server = await startMeasuredServer(dataDir)
  const choose = (row: { path: string }, index: number) =>
    args.endpoints.split(',').some((start) => row.path.startsWith(start))
      ? Array.from(
          { length: args.texts },
          (_, i) => texts[(index + i * 7) % texts.length] ?? [],
        ).flat()
      : []
  for await (const each of measureAll(server, choose, args)) {
    measured.push(each)
    if (above(each)) console.error(cells(each).join('\t'))
    if (performance.now() > endsAt) break
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
const worst = (key: 'seconds' | 'mib') =>
  measured.toSorted((a, b) => b[key] - a[key]).slice(0, args.worst)
const headings = ['endpoint', 'place', 'text', 'status', 'CPU s', 'MiB']
const total = measured.reduce((sum, { seconds }) => sum + seconds, 0)
console.log(
  `${measured.length} requests, ${total.toFixed(0)} s of processor time, ${measured.filter(above).length} above a bound\n`,
)
printTable(headings, worst('seconds').map(cells))
printTable(headings, worst('mib').map(cells))
process.exit(measured.some(above) ? 1 : 0)
