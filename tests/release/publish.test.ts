import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../../package.json'
import { writeArchive } from '../../scripts/release/archive.ts'
import { writeChecksums } from '../../scripts/release/checksums.ts'
import { NPM_PACKAGE, releaseFiles } from '../../scripts/release/names.ts'
import { ROOT } from '../../scripts/release/packages.ts'
import { PATH } from '../harness/programs.ts'

setDefaultTimeout(60_000)

const DATED = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').replace(
  /^(## \S+) \(.*\)$/m,
  '$1 (2026-11-28)',
)

let directory: string
let dist: string
let registry: ReturnType<typeof startRegistry>

/** A registry of npm that has what was published to it. */
const startRegistry = () => {
  const documents = new Map<string, unknown>()
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const name = new URL(request.url).pathname.slice(1)
      if (request.method !== 'PUT')
        return documents.has(name)
          ? Response.json(documents.get(name))
          : Response.json({ error: 'not_found' }, { status: 404 })
      documents.set(name, await request.json())
      return Response.json({ ok: true }, { status: 201 })
    },
  })
  return { documents, url: `${server.url}`, host: server.url.host, stop: () => server.stop(true) }
}

/** A program that writes its arguments to a file, and fails if `fails` says so. */
const addProgram = (name: string, script: string) => {
  const path = join(directory, 'bin', name)
  mkdirSync(join(directory, 'bin'), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}
const log = (name: string) => join(directory, `${name}.log`)
const callsOf = (name: string): string[] => {
  try {
    return readFileSync(log(name), 'utf8').trim().split('\n')
  } catch {
    return []
  }
}

/** Runs the script of the project in `directory`. */
const publish = async (...args: string[]) => {
  const child = Bun.spawn(
    [process.execPath, join(directory, 'scripts/publish.ts'), '--from', dist, ...args],
    {
      env: {
        HOME: directory,
        PATH: `${join(directory, 'bin')}:${PATH}`,
        npm_config_registry: registry.url,
        [`npm_config_//${registry.host}/:_authToken`]: 'secret',
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ])
  return { code, text: out + err }
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'svc-test-publish-'))
  dist = join(directory, 'dist')
  registry = startRegistry()
  for (const name of ['scripts', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(directory, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  writeFileSync(join(directory, 'CHANGELOG.md'), DATED)
  mkdirSync(dist)
  for (const name of releaseFiles) writeFileSync(join(dist, name), name)
  const manifest = join(directory, 'package/package.json')
  mkdirSync(join(directory, 'package'))
  writeFileSync(manifest, JSON.stringify({ name: 'svc-client', version }))
  await writeArchive(join(directory, 'package'), 'package', join(dist, NPM_PACKAGE), 6)
  await writeChecksums(dist, releaseFiles)
  addProgram('twine', `echo "$@" >>'${log('twine')}'`)
  addProgram('gh', `echo "$1 $2 $3" >>'${log('gh')}'; [ "$2" = create ]`)
})
afterEach(() => {
  registry.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('a version goes to npm, PyPI and GitHub, and a second run publishes nothing again', async () => {
  expect(await publish()).toMatchObject({ code: 0 })
  expect([...registry.documents.keys()]).toEqual(['svc-client'])
  expect(callsOf('twine')).toEqual([
    expect.stringMatching(
      /^upload --skip-existing \S+\/svc_client-\S+\.whl \S+\/svc_client-\S+\.tar\.gz$/,
    ),
  ])
  expect(callsOf('gh')).toEqual([`release view v${version}`, `release create v${version}`])
  expect(readFileSync(join(dist, 'NOTES.md'), 'utf8')).toStartWith('### Added\n')
  addProgram('gh', 'exit 0')
  const { code, text } = await publish('npm', 'github')
  expect([code, text]).toEqual([
    0,
    `npm: ${version} is published\ngithub: ${version} is published\n`,
  ])
})

test('nothing is published when a file has changed or is missing', async () => {
  writeFileSync(join(dist, 'svc.mcpb'), 'changed')
  expect(await publish()).toMatchObject({
    code: 1,
    text: expect.stringContaining('svc.mcpb is not the file that the release wrote'),
  })
  rmSync(join(dist, 'svc.mcpb'))
  expect((await publish()).text).toContain('svc.mcpb is missing')
  await writeChecksums(dist, [NPM_PACKAGE])
  expect((await publish()).text).toContain('SHA256SUMS does not list svc-linux-x64.tar.gz')
  expect([registry.documents.size, callsOf('twine'), callsOf('gh')]).toEqual([0, [], []])
})

test('a version without a date is not published', async () => {
  writeFileSync(join(directory, 'CHANGELOG.md'), `# Changelog\n\n## ${version} (unreleased)\n`)
  expect((await publish()).text).toContain(`CHANGELOG.md has no date for ${version}`)
  expect(registry.documents.size).toBe(0)
})

test('a failed destination stops the run before the next one', async () => {
  addProgram('twine', 'echo "Invalid token" >&2; exit 1')
  const { code, text } = await publish('pypi', 'github')
  expect(code).toBe(1)
  expect(text).toContain('Invalid token')
  expect(text).toContain('twine could not publish to pypi')
  expect(callsOf('gh')).toEqual([])
})

test('a dry run prints the commands and publishes nothing', async () => {
  const { code, text } = await publish('--dry-run')
  expect([code, registry.documents.size, callsOf('twine')]).toEqual([0, 0, []])
  expect(text).toContain(`npm publish ${join(dist, NPM_PACKAGE)} --access public`)
  expect(text).toContain(`gh release create v${version} --verify-tag`)
})
