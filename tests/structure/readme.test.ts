import { expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../server/config.ts'
import { configTable, variables } from '../../server/config-variables.ts'

const README = fileURLToPath(new URL('../../README.md', import.meta.url))

test('the table of variables in the README matches the declared variables', async () => {
  const readme = await Bun.file(README).text()
  const table = /<!-- config -->\n([\s\S]*?)\n<!-- \/config -->/.exec(readme)?.[1]?.trim()
  expect(table).toBe(configTable())
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
  expect(variables.SVC_RATE_LIMIT_STORE.fallback).toBe(config.rateLimitStore)
  expect(variables.SVC_DEFAULT_TIER.fallback).toBe(config.defaultTier)
  expect(variables.SVC_LOG_LEVEL.fallback).toBe(config.logLevel)
})
