/**
 * Builds the packages of the Python client, a wheel and a source distribution: `bun scripts/python-package.ts OUT`,
 * by default into `dist`. It needs no Python, and two builds of the same files are equal.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync, strToU8, zipSync } from 'fflate'
import { packTar } from 'modern-tar'
import { version } from '../package.json'
import { pythonClient } from './python-client.ts'
import { PYTHON_SOURCES, PYTHON_WHEEL } from './release/names.ts'
import { RELEASED_AT, zipTime } from './release/version.ts'

const SOURCE = join(import.meta.dir, '../clients/python')

const ABOUT = ['pyproject.toml', 'README.md']

type Files = Record<string, Uint8Array>

interface Project {
  name: string
  description: string
  'requires-python': string
  classifiers: string[]
}

const readSource = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(join(SOURCE, path)))

/** The files of the module, by their paths in the wheel and below `src` of the source distribution. */
const readModule = async (): Promise<Files> => ({
  ...Object.fromEntries(
    Object.entries(pythonClient()).map(([name, text]) => [`svc_client/${name}`, strToU8(text)]),
  ),
  'svc_client/py.typed': await readSource('src/svc_client/py.typed'),
})

/** The core metadata of both packages (PyPA, version 2.1), with the README as description. */
const metadataOf = (project: Project, readme: string): string =>
  [
    'Metadata-Version: 2.1',
    `Name: ${project.name}`,
    `Version: ${version}`,
    `Summary: ${project.description}`,
    ...project.classifiers.map((each) => `Classifier: ${each}`),
    `Requires-Python: ${project['requires-python']}`,
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n')

const WHEEL = ['Wheel-Version: 1.0', 'Generator: svc', 'Root-Is-Purelib: true', 'Tag: py3-none-any']

/** A line of RECORD for each file, with its SHA-256 in Base64 for URLs (PyPA, binary distributions). */
const recordOf = (files: Files, own: string): string =>
  [
    ...Object.entries(files).map(([path, content]) => {
      const digest = createHash('sha256').update(content).digest('base64url')
      return `${path},sha256=${digest},${content.length}`
    }),
    `${own},,`,
    '',
  ].join('\n')

const wheelOf = (modules: Files, metadata: string): Uint8Array => {
  const info = `svc_client-${version}.dist-info`
  const files: Files = {
    ...modules,
    [`${info}/METADATA`]: strToU8(metadata),
    [`${info}/WHEEL`]: strToU8(`${WHEEL.join('\n')}\n`),
  }
  const record = `${info}/RECORD`
  return zipSync(
    { ...files, [record]: strToU8(recordOf(files, record)) },
    { mtime: zipTime(), level: 9 },
  )
}

const sourceDistributionOf = async (files: Files): Promise<Uint8Array> => {
  const root = `svc_client-${version}`
  const tar = await packTar(
    Object.entries(files).map(([path, content]) => ({
      header: {
        name: `${root}/${path}`,
        size: content.length,
        mode: 0o644,
        mtime: RELEASED_AT,
        type: 'file' as const,
      },
      body: content,
    })),
  )
  return gzipSync(tar, { mtime: RELEASED_AT, level: 9 })
}

/** Writes the wheel and the source distribution into a folder. @returns their paths. */
export const buildPythonPackage = async (outDir: string): Promise<string[]> => {
  const modules = await readModule()
  const sources: Files = {}
  for (const path of ABOUT) sources[path] = await readSource(path)
  for (const [path, content] of Object.entries(modules)) sources[`src/${path}`] = content
  const { project } = Bun.TOML.parse(await readFile(join(SOURCE, 'pyproject.toml'), 'utf8')) as {
    project: Project
  }
  const metadata = metadataOf(project, await readFile(join(SOURCE, 'README.md'), 'utf8'))
  const packages = {
    [PYTHON_WHEEL]: wheelOf(modules, metadata),
    [PYTHON_SOURCES]: await sourceDistributionOf({
      'PKG-INFO': strToU8(metadata),
      ...sources,
    }),
  }
  await mkdir(outDir, { recursive: true })
  const paths: string[] = []
  for (const [name, content] of Object.entries(packages)) {
    await writeFile(join(outDir, name), content)
    paths.push(join(outDir, name))
  }
  return paths
}

if (import.meta.main)
  for (const path of await buildPythonPackage(process.argv[2] ?? 'dist')) console.log(path)
