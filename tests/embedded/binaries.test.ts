import { expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  findBinaries,
  linkLibraries,
  majorVersion,
} from '../../server/platform/db/embedded/binaries.ts'
import { scratch } from '../start/support.ts'

setDefaultTimeout(60_000)

const REFUSAL = 'SVC_DATABASE_URL: the embedded PostgreSQL does not run on this system: '
const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('a missing library is named, and SVC_DATABASE_URL with it', () => {
  using dir = scratch()
  const alone = join(dir.path, 'postgres')
  copyFileSync(findBinaries().postgres, alone)
  expect(() => majorVersion(alone)).toThrow(
    new RegExp(`^${REFUSAL}the library lib\\S+ is missing; set SVC_DATABASE_URL to`),
  )
})

onLinux('a system without glibc is named, and SVC_DATABASE_URL with it', () => {
  using dir = scratch()
  const { postgres } = findBinaries()
  const bytes = readFileSync(postgres)
  // The path of the dynamic loader, which does not exist on a system with musl.
  const at = bytes.indexOf('/ld-linux')
  expect(at).toBeGreaterThan(0)
  bytes.write('/no', at)
  const path = join(dir.path, 'postgres')
  writeFileSync(path, bytes, { mode: 0o755 })
  expect(() => majorVersion(path)).toThrow(
    `${REFUSAL}it needs glibc 2.27 or later, which systems with musl such as Alpine do not have; set SVC_DATABASE_URL to a PostgreSQL server`,
  )
})

test('symbolic links that an installer omitted are created', () => {
  using dir = scratch()
  mkdirSync(join(dir.path, 'native', 'lib'), { recursive: true })
  const link = { source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }
  writeFileSync(join(dir.path, link.source), '')
  writeFileSync(join(dir.path, 'native', 'pg-symlinks.json'), JSON.stringify([link]))
  linkLibraries(dir.path)
  linkLibraries(dir.path)
  expect(readlinkSync(join(dir.path, link.target))).toBe('libx.so.1.2')
})
