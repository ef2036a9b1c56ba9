/**
 * Builds `dist/svc-<os>-<arch>.tar.gz`, the executable and the files that it needs, for each system:
 * `bun scripts/release.ts`. Arguments select systems: `svc-linux-arm64`, or `host` for this one. `--to` sets
 * another directory than `dist`, and `--level` the compression from 1 (fast) to 9 (small).
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../package.json'
import { buildExecutable } from './executable.ts'
import { writePlugins } from './plugins/write.ts'
import { writeContents } from './release/contents.ts'
import { licenceTexts } from './release/licences.ts'
import { installPackages, ROOT } from './release/packages.ts'
import { isHost, nameOf, type Target, targets } from './release/targets.ts'

const { values, positionals } = parseArgs({
  options: {
    to: { type: 'string', default: join(ROOT, 'dist') },
    level: { type: 'string', default: '6' },
  },
  allowPositionals: true,
})

const CHANGELOG = join(ROOT, 'CHANGELOG.md')
if (!readFileSync(CHANGELOG, 'utf8').includes(`\n## ${version} (`))
  throw new Error(`CHANGELOG.md has no section "## ${version} (<date>)"`)

const release = async (target: Target): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-release-'))
  const name = nameOf(target)
  const contents = join(directory, name)
  try {
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
    const archive = join(values.to, `${name}.tar.gz`)
    mkdirSync(values.to, { recursive: true })
    const gzip = ['--use-compress-program', `gzip -${values.level}`]
    const tar = Bun.spawn(['tar', ...gzip, '-cf', archive, '-C', directory, name], {
      stderr: 'inherit',
    })
    if ((await tar.exited) !== 0) throw new Error('tar failed')
    return archive
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const isChosen = (target: Target): boolean =>
  positionals.length === 0 ||
  positionals.includes(nameOf(target)) ||
  (positionals.includes('host') && isHost(target))

const chosen = targets.filter(isChosen)
if (chosen.length === 0) throw new Error(`Systems are: ${targets.map(nameOf).join(', ')}, host`)
for (const target of chosen) console.log(await release(target))
