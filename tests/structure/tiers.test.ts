import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Glob } from 'bun'
import { TIER_NAMES, TIERS } from '../../shared/tiers.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DECLARATION = 'shared/tiers.ts'

test('each tier is declared once', () => {
  expect(new Set(TIER_NAMES).size).toBe(TIERS.length)
})

test('only the declaration names a tier, except payg', async () => {
  // Code that charges per use distinguishes payg.
  const names = TIER_NAMES.filter((name) => name !== 'payg')
  const found: string[] = []
  for (const path of new Glob('{server,shared,cli,mcp}/**/*.{ts,tsx}').scanSync(ROOT)) {
    const text = path === DECLARATION ? '' : await Bun.file(join(ROOT, path)).text()
    found.push(...names.filter((name) => text.includes(name)).map((name) => `${path}: ${name}`))
  }
  expect(found).toEqual([])
})
