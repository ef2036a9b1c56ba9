import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../server/config/config.ts'
import { configTable, settingTable } from '../../server/config/tables.ts'
import { variables } from '../../server/config/variables.ts'

const read = (path: string): Promise<string> =>
  Bun.file(fileURLToPath(new URL(`../../${path}`, import.meta.url))).text()

test('the table of variables in the reference matches the declared variables', async () => {
  const page = await read('docs/reference/configuration.md')
  const table = /<!-- config -->\n([\s\S]*?)\n<!-- \/config -->/.exec(page)?.[1]?.trim()
  expect(table).toBe(configTable())
})

test('the table of settings in the reference matches the declared settings', async () => {
  const page = await read('docs/reference/configuration.md')
  const table = /<!-- settings -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(page)?.[1]?.trim()
  expect(table).toBe(settingTable())
})

test('the README has ten variables, as the reference describes them', async () => {
  const rows = (await read('README.md')).match(/^\| `SVC_.*$/gm) ?? []
  expect(rows).toHaveLength(10)
  expect(configTable().split('\n')).toEqual(expect.arrayContaining(rows))
})

test('the README has at most 130 lines', async () => {
  expect((await read('README.md')).trimEnd().split('\n').length).toBeLessThanOrEqual(130)
})

test('the table has a row with a description for every variable', () => {
  const rows = configTable().split('\n').slice(2)
  expect(rows.map((row) => /^\| `(\w+)` \| .{3,} \| .*\|$/.exec(row)?.[1])).toEqual(
    Object.keys(variables),
  )
})

test('the defaults in the table are the values for an empty environment', () => {
  const config = readConfig({})
  expect(variables.SVC_PORT.fallback).toBe(String(config.port))
  expect(variables.SVC_HOST.fallback).toBe(config.host)
  expect(resolve(variables.SVC_DATA_DIR.fallback)).toBe(config.dataDir)
  expect(variables.SVC_DEFAULT_TIER.fallback).toBe(config.defaultTier)
  expect(variables.SVC_LOG_LEVEL.fallback).toBe(config.logLevel)
})
