import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { version } from '../../package.json'
import { buildPythonPackage } from '../../scripts/python-package.ts'
import { hasPrograms } from '../harness/programs.ts'
import { temporaryDirectory } from '../harness/temporary.ts'
import { PYTHON, pythonResult, runPython } from './python.ts'

setDefaultTimeout(120_000)

const SCRIPT = join(import.meta.dir, '../../scripts/python-package.ts')
const folder = temporaryDirectory('svc-test-python-')
const WHEEL = join(folder, `svc_client-${version}-py3-none-any.whl`)
const SOURCES = join(folder, `svc_client-${version}.tar.gz`)

const hasPython = hasPrograms('python3')
const hasModules = (...modules: string[]): boolean =>
  hasPython && spawnSync(PYTHON, ['-c', `import ${modules.join(', ')}`]).status === 0

/** Installs a package without the network. @returns the folder of its modules. */
const install = (path: string, ...options: string[]): string => {
  const target = temporaryDirectory('svc-test-python-')
  const { status, stderr } = spawnSync(
    PYTHON,
    ['-m', 'pip', 'install', '--no-index', '--no-deps', ...options, '--target', target, path],
    { encoding: 'utf8', env: { ...process.env, PIP_ROOT_USER_ACTION: 'ignore' } },
  )
  if (status !== 0) throw new Error(`pip ended with ${status}: ${stderr}`)
  return target
}

const importedFrom = async (path: string): Promise<string[]> =>
  (await runPython('installed.py', { from: [path] })).trimEnd().split('\n')

beforeAll(async () => {
  expect(await buildPythonPackage(folder)).toEqual([WHEEL, SOURCES])
})

test('another build, in another time zone, has the same bytes', () => {
  const other = temporaryDirectory('svc-test-python-')
  const { stdout } = spawnSync(process.execPath, [SCRIPT, other], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'Pacific/Auckland' },
  })
  expect(stdout).toBe([WHEEL, SOURCES].map((path) => `${join(other, basename(path))}\n`).join(''))
  for (const path of [WHEEL, SOURCES])
    expect(readFileSync(join(other, basename(path)))).toEqual(readFileSync(path))
})

test('docs/reference/clients.md states the size of the wheel, to 5 KB', () => {
  const page = readFileSync(join(import.meta.dir, '../../docs/reference/clients.md'), 'utf8')
  const [, stated = ''] = /a wheel of (\d+) KB/.exec(page) ?? []
  expect(Math.abs(Number(stated) - statSync(WHEEL).size / 1024)).toBeLessThan(5)
})

describe.skipIf(!hasPython)('the packages of the Python client', () => {
  test('the packages have the module, its marker for types and the metadata, with correct hashes', async () => {
    const info = `svc_client-${version}.dist-info`
    const module = ['svc_client/__init__.py', 'svc_client/aio.py', 'svc_client/py.typed']
    const { wheel, sdist, metadata, readme } = await pythonResult('check_packages.py', {
      args: [WHEEL, SOURCES],
    })
    expect(wheel).toEqual([
      ...module,
      ...['METADATA', 'WHEEL', 'RECORD'].map((x) => `${info}/${x}`),
    ])
    const files = ['PKG-INFO', 'pyproject.toml', 'README.md', ...module.map((x) => `src/${x}`)]
    expect(sdist).toEqual(files.map((x) => `svc_client-${version}/${x}`))
    expect(metadata).toMatchObject({
      'metadata-version': '2.1',
      name: 'svc-client',
      version,
      'requires-python': '>=3.9',
    })
    expect(metadata).not.toHaveProperty('requires-dist')
    expect(readme).toContain('from svc_client import Svc')
  })

  test('Python imports the client from the wheel itself', async () => {
    const [file, installed] = await importedFrom(WHEEL)
    expect(file).toBe(join(WHEEL, 'svc_client/__init__.py'))
    expect(installed).toBe(version)
  })
})

test.skipIf(!hasModules('pip'))('pip installs the wheel', async () => {
  const target = install(WHEEL)
  expect(await importedFrom(target)).toEqual([join(target, 'svc_client/__init__.py'), version])
})

test.skipIf(!hasModules('setuptools', 'wheel', 'pip'))(
  'pip builds and installs the source distribution',
  async () => {
    const target = install(SOURCES, '--no-build-isolation')
    expect(await importedFrom(target)).toEqual([join(target, 'svc_client/__init__.py'), version])
  },
)
