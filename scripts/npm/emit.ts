/** Emits the types of the package's own sources; those of the contract are written by `declarations.ts`. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dir, '../..')
const SOURCES = 'clients/npm'
const API = join(SOURCES, 'api.d.ts')

/** The compiler reports types of the contract that have no name outside of TypeBox. The package has none of them. */
const isOfContract = (line: string): boolean =>
  line.startsWith('shared/contract/') && line.includes(' TS4023: ')

/** Runs the compiler. @throws Error with its messages. */
const compile = async (directory: string, entries: readonly string[]): Promise<void> => {
  const config = join(directory, 'tsconfig.json')
  await Bun.write(
    config,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        stripInternal: true,
        rootDir: ROOT,
        outDir: directory,
        lib: ['ESNext', 'DOM', 'DOM.Iterable'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      include: [],
      files: entries.map((entry) => join(ROOT, SOURCES, entry)),
    }),
  )
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const child = Bun.spawn([process.execPath, tsc, '-p', config, '--pretty', 'false'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, BUN_BE_BUN: '1' },
  })
  const output = await child.stdout.text()
  await child.exited
  const problems = output.split('\n').filter((line) => line && !isOfContract(line))
  if (problems.length) throw new Error(problems.join('\n'))
}

const IMPORT = /(from|import\()( ?)(['"])(\.[^'"]+)\.ts\3/g

/** Types of the contract are in `api.d.ts`; all files of the package are in one directory. */
const targetOf = (path: string): string =>
  path.startsWith('shared/contract/') || path === 'shared/errors.ts'
    ? API
    : path.replace(/\.ts$/, '.d.ts')

/**
 * The declarations that the entry points need, by file name.
 * @throws Error with the messages of the compiler, or if two files have one name.
 */
export const emitDeclarations = async (
  entries: readonly string[],
): Promise<Map<string, string>> => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-client-types-'))
  const files = new Map<string, { path: string; text: string }>()
  const add = async (path: string): Promise<void> => {
    const name = basename(path)
    const known = files.get(name)
    if (known && known.path !== path)
      throw new Error(`Two files of the package have one name: ${known.path}, ${path}`)
    if (known || path === API) return
    const source = await readFile(join(directory, path), 'utf8')
    const needed: string[] = []
    const text = source.replace(IMPORT, (_, word, space, quote, target) => {
      const found = targetOf(relative(ROOT, resolve(ROOT, dirname(path), `${target}.ts`)))
      needed.push(found)
      return `${word}${space}${quote}./${basename(found, '.d.ts')}.js${quote}`
    })
    files.set(name, { path, text })
    for (const each of needed) await add(each)
  }
  try {
    await compile(directory, entries)
    for (const entry of entries) await add(join(SOURCES, entry.replace(/\.ts$/, '.d.ts')))
    return new Map([...files].map(([name, { text }]) => [name, text]))
  } finally {
    await rm(directory, { recursive: true })
  }
}
