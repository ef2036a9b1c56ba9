import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '../../shared/contract/index.ts'
import { type Measured, type MeasuredServer, measureAbove, startMeasuredServer } from './cost.ts'
import { pathologicalTexts, textFrom } from './pathological.ts'

setDefaultTimeout(600_000)

/** Of svc and PostgreSQL together. Processor time does not pass while other programs have the processors. */
const BOUND = { seconds: 1, mib: 100 }
const SEED = 1
const TEXTS = pathologicalTexts(SEED, 40)
/** Texts that took seconds once, where they are parsed. */
const KNOWN = ['_a', '<!--', '2024-01-01T', 'http:/'].map((unit) => textFrom(unit, 'repeated'))
const PARSING = ['/api/remember', '/api/recall', '/api/memories/import']

const isMeasurable = process.platform === 'linux'
const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
let server: MeasuredServer
beforeAll(async () => {
  if (isMeasurable) server = await startMeasuredServer(dataDir, process.env.TEST_SVC)
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

const aboveBound = (choose: Parameters<typeof measureAbove>[1]): Promise<Measured[]> =>
  Array.fromAsync(measureAbove(server, choose, BOUND))

/** Another text for each endpoint. */
const sample = (_: Endpoint, index: number) => TEXTS.slice(index % TEXTS.length).slice(0, 1)

test.skipIf(!isMeasurable)(
  'no request with a pathological text takes a second of processor time or 100 MiB',
  async () => expect(await aboveBound(sample)).toEqual([]),
)

test.skipIf(!isMeasurable)(
  'texts that a parser once read in quadratic time are remembered, found and imported in a second',
  async () => {
    const known = ({ path }: Endpoint) => (PARSING.includes(path) ? KNOWN : [])
    expect(await aboveBound(known)).toEqual([])
  },
)
