import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { contractSchemas } from '../../console/build.ts'
import { contract } from '../../shared/contract/index.ts'
import { temporaryDirectory } from '../harness/temporary.ts'

const CONTRACT = join(import.meta.dir, '../../shared/contract/index.ts')

/** Without the symbols of TypeBox. */
const plain = (rows: unknown): unknown => JSON.parse(JSON.stringify(rows))

test('the console builds the same schemas of the contract as TypeBox', async () => {
  const outdir = temporaryDirectory('contract-schemas')
  const { outputs } = await Bun.build({
    entrypoints: [CONTRACT],
    plugins: [contractSchemas],
    outdir,
  })
  const built: { contract: typeof contract } = await import(outputs[0]?.path ?? '')
  expect(built.contract).not.toBe(contract)
  expect(plain(built.contract)).toEqual(plain(contract))
})
