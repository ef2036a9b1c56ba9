/**
 * Builds everything that a version publishes to `dist`: `bun scripts/release.ts`.
 *
 * - `svc-<os>-<arch>.tar.gz`, the executable and the files that it needs, for each system, and beside it
 *   `svc-<os>-<arch>.cdx.json`, its bill of materials.
 * - `svc.mcpb`, the bundle for desktop clients, and `svc-plugins.tar.gz`, the plugins for assistants.
 * - `svc-client-<version>.tgz`, the npm package, `svc_client-<version>-py3-none-any.whl` and `.tar.gz`,
 *   the Python client.
 * - `SHA256SUMS`, the checksums of the files that this run wrote.
 *
 * Arguments select parts: `svc-linux-arm64`, `host` for this system, `packages` for what runs on each system.
 * `--url https://svc.example.com` also writes `server.json`, which lists that server in the MCP registry.
 * `--to` sets another directory, and `--level` the compression from 1 (fast) to 9 (small). Two runs with the
 * same code, packages and Bun write equal files.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from './executable.ts'
import { buildNpmPackage } from './npm-package.ts'
import { writePlugins } from './plugins/write.ts'
import { buildPythonPackage } from './python-package.ts'
import { writeArchive } from './release/archive.ts'
import { CHECKSUMS, writeChecksums } from './release/checksums.ts'
import { writeContents } from './release/contents.ts'
import { licenceTexts } from './release/licences.ts'
import { buildMcpBundle } from './release/mcp-bundle.ts'
import { MCP_BUNDLE, NPM_PACKAGE, PLUGINS, packageFiles, REGISTRY_ENTRY } from './release/names.ts'
import { installPackages, ROOT } from './release/packages.ts'
import { registryEntry } from './release/registry-entry.ts'
import { billOfMaterials } from './release/sbom.ts'
import { databaseOf, isHost, nameOf, type Target, targets } from './release/targets.ts'
import { CHANGELOG } from './release/version.ts'

const PACKAGES = 'packages'

const { values, positionals } = parseArgs({
  options: {
    to: { type: 'string', default: join(ROOT, 'dist') },
    level: { type: 'string', default: '6' },
    url: { type: 'string' },
  },
  allowPositionals: true,
})

const names = [...targets.map(nameOf), 'host', PACKAGES]
const unknown = positionals.find((each) => !names.includes(each))
if (unknown) throw new Error(`There is no part ${unknown}. Parts are: ${names.join(', ')}`)

const path = (name: string): string => join(values.to, name)
const level = Number(values.level)

/** Runs with a new directory, which is deleted afterwards. */
const inDirectory = async (run: (directory: string) => Promise<string[]>): Promise<string[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-release-'))
  try {
    return await run(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const release = (target: Target): Promise<string[]> =>
  inDirectory(async (directory) => {
    const name = nameOf(target)
    const contents = join(directory, name)
    const packages = await installPackages(target, join(directory, 'packages'))
    await buildExecutable({
      outfile: join(contents, 'svc'),
      bytecode: false,
      target: `bun-${target.os}-${target.arch}`,
      bun: join(packages, target.bun, 'bin/bun'),
    })
    await writeContents(target, packages, join(contents, 'lib'))
    await Bun.write(join(contents, 'LICENSES.txt'), licenceTexts(packages))
    cpSync(join(ROOT, 'deploy/svc.service'), join(contents, 'svc.service'))
    cpSync(CHANGELOG, join(contents, 'CHANGELOG.md'))
    await writePlugins(join(contents, 'plugins'), 'svc')
    const written = [`${name}.tar.gz`, `${name}.cdx.json`]
    await writeArchive(contents, name, path(`${name}.tar.gz`), level)
    await Bun.write(path(`${name}.cdx.json`), billOfMaterials(packages, databaseOf(target)))
    return written
  })

/** The parts that run on each system. */
const releasePackages = (): Promise<string[]> =>
  inDirectory(async (directory) => {
    const [plugins, client] = [join(directory, 'plugins'), join(directory, 'client')]
    await writePlugins(plugins, 'svc')
    await writeArchive(plugins, 'svc-plugins', path(PLUGINS), level)
    await buildNpmPackage(client)
    // npm expects this name in its archives.
    await writeArchive(client, 'package', path(NPM_PACKAGE), level)
    await Bun.write(path(MCP_BUNDLE), await buildMcpBundle())
    await buildPythonPackage(values.to)
    return packageFiles
  })

const isChosen = (name: string): boolean => positionals.length === 0 || positionals.includes(name)

const entry = values.url === undefined ? undefined : registryEntry(values.url)
mkdirSync(values.to, { recursive: true })
const written: string[] = []
for (const target of targets)
  if (isChosen(nameOf(target)) || (positionals.includes('host') && isHost(target)))
    written.push(...(await release(target)))
if (isChosen(PACKAGES)) written.push(...(await releasePackages()))
if (entry) {
  await Bun.write(path(REGISTRY_ENTRY), entry)
  written.push(REGISTRY_ENTRY)
}
await writeChecksums(values.to, written)
for (const name of [...written, CHECKSUMS]) console.log(path(name))
