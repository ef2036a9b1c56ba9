import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { request, type TestServer } from '../harness/server.ts'

const root = resolve(import.meta.dir, '../..')
const modules = join(root, 'node_modules')

const TSCONFIG = {
  compilerOptions: {
    target: 'ESNext',
    module: 'Preserve',
    moduleResolution: 'bundler',
    lib: ['ESNext', 'DOM', 'DOM.Iterable'],
    types: [],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  },
  include: ['*.ts', 'client'],
}

const run = async (cwd: string, ...command: string[]): Promise<void> => {
  const child = Bun.spawn(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  const output = (await Promise.all([child.stdout.text(), child.stderr.text()])).join('')
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}\n${output}`)
}

/** The TypeScript of a guide, with the address of a server. */
export const samplesOf = async (guide: string, baseUrl: string): Promise<string> => {
  const text = await Bun.file(join(root, `docs/how-to/${guide}.md`)).text()
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block)
  return blocks.join('\n').replaceAll('http://localhost:3000', baseUrl)
}

/** A folder with the description of a server, in which generators and the compiler run. */
export const createProject = async (server: TestServer) => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-client-'))
  await symlink(modules, join(dir, 'node_modules'))
  const { text } = await request(server, 'GET', '/api/docs/json')
  const write = (name: string, content: string) => Bun.write(join(dir, name), content)
  await write('openapi.json', text)
  await write('tsconfig.json', JSON.stringify(TSCONFIG))
  return {
    dir,
    write,
    /** Runs the command of a package with the API of TypeScript 6. */
    generate: (program: string, ...options: string[]) =>
      run(
        dir,
        process.execPath,
        '--preload',
        join(import.meta.dir, 'typescript-6.ts'),
        join(modules, program),
        ...options,
      ),
    /** @throws an error with the messages of the compiler. */
    compile: () =>
      run(dir, process.execPath, join(modules, 'typescript/bin/tsc'), '--checkers', '1', '-p', '.'),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  }
}
export type ClientProject = Awaited<ReturnType<typeof createProject>>

/** Generates the types for openapi-fetch, and compiles them with the samples of a guide. */
export const compileGuide = async (project: ClientProject, guide: string, baseUrl: string) => {
  const { generate, write, compile } = project
  await generate('openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'svc-api.ts')
  await write('guide.ts', await samplesOf(guide, baseUrl))
  await compile()
}
