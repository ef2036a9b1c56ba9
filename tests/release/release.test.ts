import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { Glob } from 'bun'
import { version } from '../../package.json'
import { CHECKSUMS } from '../../scripts/release/checksums.ts'
import { packageFiles } from '../../scripts/release/names.ts'
import { manifestOf, ROOT } from '../../scripts/release/packages.ts'
import { isHost, nameOf, targets } from '../../scripts/release/targets.ts'
import { run } from './build.ts'

setDefaultTimeout(300_000)

const directory = mkdtempSync(join(tmpdir(), 'svc-test-release-'))
const inDirectory = (...names: string[]) => join(directory, ...names)
const host = nameOf(targets.find(isHost) ?? expect.unreachable())
const script = join(ROOT, 'scripts/release.ts')

/** Builds with other settings of the machine. @returns the paths that the script prints. */
const release = async (to: string, timeZone: string, umask: string): Promise<string[]> => {
  const command = `umask ${umask}; cd /; TZ=${timeZone} '${process.execPath}' '${script}' host packages --level 1`
  const output = await run(['sh', '-c', `${command} --to '${inDirectory(to)}'`])
  return output.trim().split('\n')
}

beforeAll(async () => {
  await release('first', 'Asia/Kathmandu', '077')
  await release('second', 'UTC', '022')
  await run(['tar', '-xzf', inDirectory('first', `${host}.tar.gz`), '-C', directory])
}, 300_000)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('two builds are equal, in any time zone and with any mode of new files', async () => {
  const files = readdirSync(inDirectory('first')).toSorted()
  expect(files).toEqual(
    [CHECKSUMS, `${host}.cdx.json`, `${host}.tar.gz`, ...packageFiles].toSorted(),
  )
  for (const file of files)
    await run(['cmp', inDirectory('first', file), inDirectory('second', file)])
})

test('the sources build in a folder with blanks and accents', async () => {
  const copy = inDirectory('svc é release')
  const files = (await run(['git', '-C', ROOT, 'ls-files', '-z', '-co', '--exclude-standard']))
    .split('\0')
    .filter((file) => file && existsSync(join(ROOT, file)))
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(copy, file))
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const built = join(copy, 'dist ü')
  const options = [host, 'packages', '--level', '1', '--to', built]
  await run([process.execPath, join(copy, 'scripts/release.ts'), ...options])
  expect(readdirSync(built).toSorted()).toEqual(readdirSync(inDirectory('first')).toSorted())
  await run(['tar', '-xzf', join(built, `${host}.tar.gz`), '-C', built])
  expect(await run([join(built, host, 'svc'), '--version'])).toContain(version)
})

test('no file of a release has the path of the machine that built it', () => {
  const path = Buffer.from(ROOT)
  const files = [...new Glob('**/*').scanSync({ cwd: inDirectory(host), onlyFiles: true })]
  expect(files.length).toBeGreaterThan(1_000)
  expect(files.filter((file) => readFileSync(inDirectory(host, file)).includes(path))).toEqual([])
})

test('the checksums are those of the files, and a changed file is found', async () => {
  const check = ['sh', '-c', `cd '${inDirectory('second')}' && sha256sum --check SHA256SUMS`]
  const files = readdirSync(inDirectory('second')).filter((file) => file !== CHECKSUMS)
  const lines = (await run(check)).trim().split('\n')
  expect(lines.toSorted()).toEqual(files.map((file) => `${file}: OK`).toSorted())
  await Bun.write(inDirectory('second', 'svc.mcpb'), 'changed')
  await expect(run(check)).rejects.toThrow('svc.mcpb: FAILED')
})

test('the bill of materials is valid, and names each package of the release with its hash', async () => {
  const text = readFileSync(inDirectory('first', `${host}.cdx.json`), 'utf8')
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  expect(await validator.validate(text)).toBeNull()
  const bill: {
    components: { purl: string; licenses?: object[]; hashes?: { alg: string; content: string }[] }[]
  } = JSON.parse(text)
  const byPurl = new Map(bill.components.map((each) => [each.purl, each]))
  const packages = inDirectory(host, 'lib/node_modules')
  for (const path of new Glob('{*,@*/*}/package.json').scanSync({ cwd: packages })) {
    const { name, version } = manifestOf(packages, path.replace('/package.json', ''))
    const component = byPurl.get(`pkg:npm/${name.replace('@', '%40')}@${version}`)
    expect([name, component?.hashes?.[0]?.alg]).toEqual([name, 'SHA-512'])
  }
  expect(bill.components.filter(({ licenses }) => !licenses?.length)).toEqual([])
  expect(byPurl.get(`pkg:generic/bun@${Bun.version}`)).toBeDefined()
  expect([...byPurl.keys()].filter((purl) => purl.startsWith('pkg:generic/postgresql@'))).toEqual([
    expect.stringMatching(/@\d+\.\d+$/),
  ])
})

test('an unknown part is refused with the names of the parts', async () => {
  await expect(run([process.execPath, script, 'svc-solaris'])).rejects.toThrow(
    'There is no part svc-solaris. Parts are: svc-linux-x64, ',
  )
})
