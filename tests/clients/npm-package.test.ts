import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { groupOf } from '../../clients/npm/encode-rows.ts'
import { version } from '../../package.json'
import { buildNpmPackage, MAX_BYTES } from '../../scripts/npm-package.ts'
import { contract, protocols } from '../../shared/contract/index.ts'
import { pagingOf } from '../../shared/contract/paging.ts'
import { ROOT } from '../harness/base.ts'
import { temporaryDirectory } from '../harness/temporary.ts'
import { binOf, createProject, packedClient, run } from './npm-project.ts'

setDefaultTimeout(120_000)

const rows = [...contract, ...protocols.filter(({ protocol }) => !protocol)]
/** The methods of a row: a second one for a stream that the endpoint also has. */
const methodsOf = rows.flatMap((row) => {
  const names = [
    row.name,
    ...(row.streamed ? [`${row.name}Stream`] : []),
    ...(pagingOf(row) ? [`${row.name}All`] : []),
  ]
  return names.map((name) => `${groupOf(row)}.${name}`)
})

type Groups = Record<string, Record<string, unknown>>

describe('the package svc-client', () => {
  let directory = ''
  beforeAll(async () => {
    directory = join((await packedClient()).directory, 'package')
  })

  test('two builds are byte-equal', async () => {
    const again = temporaryDirectory('svc-npm-again')
    await buildNpmPackage(again)
    const files = await readdir(directory)
    expect(await readdir(again)).toEqual(files)
    for (const file of files)
      expect(await readFile(join(again, file))).toEqual(await readFile(join(directory, file)))
  })

  test('the sizes are within the documented bounds, and the client imports no package', async () => {
    const { built } = await packedClient()
    console.log('bytes, minified:', built.sizes)
    const page = await Bun.file(join(ROOT, 'docs/reference/clients.md')).text()
    for (const [file, bytes] of Object.entries(built.sizes)) {
      const entry = file === 'index.js' ? 'svc-client' : `svc-client/${file.replace('.js', '')}`
      const [, kilobytes] =
        new RegExp(`^\\| \`${entry}\` \\|[^|]+\\| (\\d+) KB \\|`, 'm').exec(page) ?? []
      const bound = MAX_BYTES[file] ?? 0
      expect([file, Number(kilobytes) * 1000]).toEqual([file, bound])
      expect(bytes).toBeLessThanOrEqual(bound)
    }
    const { imports } = new Bun.Transpiler().scan(
      await readFile(join(directory, 'index.js'), 'utf8'),
    )
    expect(imports.filter(({ path }) => !path.startsWith('./'))).toEqual([])
  })

  test('the command line builds the same package and prints its sizes', async () => {
    const { built } = await packedClient()
    const again = temporaryDirectory('svc-npm-again')
    const output = await run(ROOT, [process.execPath, 'scripts/npm-package.ts', again])
    expect(output).toContain(`svc-client ${version}\n`)
    expect(output).toContain(`index.js: ${built.sizes['index.js']} bytes\n`)
    expect(await readdir(again)).toEqual(await readdir(directory))
  })

  test('package.json has the version of svc, and optional peers alone', async () => {
    const manifest = await Bun.file(join(directory, 'package.json')).json()
    expect(manifest.version).toBe(version)
    expect(manifest.dependencies).toBeUndefined()
    expect(Object.keys(manifest.peerDependencies).toSorted()).toEqual(
      Object.keys(manifest.peerDependenciesMeta).toSorted(),
    )
  })

  test('each row of the contract has a method and its type', async () => {
    const { createClient } = await import(join(directory, 'index.js'))
    const { session: _, methods: __, ...groups } = createClient({ baseUrl: 'http://localhost' })
    const served = Object.entries(groups as Groups).flatMap(([group, methods]) =>
      Object.keys(methods).map((name) => `${group}.${name}`),
    )
    expect(served.toSorted()).toEqual(methodsOf.toSorted())
    const types = await readFile(join(directory, 'api.d.ts'), 'utf8')
    const declared = [
      ...types.matchAll(/^export interface (\w+)Methods \{\n([\s\S]*?)^\}/gm),
    ].flatMap(([, group = '', body = '']) =>
      [...body.matchAll(/^ {2}(\w+)\(/gm)].map(
        ([, name]) => `${group[0]?.toLowerCase()}${group.slice(1)}.${name}`,
      ),
    )
    expect(declared.toSorted()).toEqual(methodsOf.toSorted())
  })

  test('the types of arguments and responses are those of the contract', async () => {
    const { directory: base } = await packedClient()
    const names = rows
      .filter(
        ({ success: [, body], download }) => !download && body !== null && !('stream' in body),
      )
      .map(
        (row) =>
          `  '${groupOf(row)}.${row.name}': Same<Response<'${groupOf(row)}', '${row.name}'>, ResponseOf<typeof contract.${row.name}>>`,
      )
    const bodies = rows
      // Its required field is `unknown`, which the type of the contract makes optional.
      .filter(({ name }) => name !== 'resolveConflict')
      .filter(
        (row) =>
          row.body &&
          Object.keys({ ...row.params.properties, ...row.query.properties }).length === 0,
      )
      .map(
        (row) =>
          `  '${groupOf(row)}.${row.name} args': Fits<Input<NonNullable<typeof contract.${row.name}.body>>, Args<'${groupOf(row)}', '${row.name}'>>`,
      )
    await Bun.write(
      join(base, 'same.ts'),
      `import type { Api } from './package/api.js'
import type * as contract from '${ROOT}shared/contract/index.ts'
import type { Input } from '${ROOT}shared/contract/common.ts'
import type { ResponseOf } from '${ROOT}shared/contract/endpoint.ts'
type Response<G extends keyof Api, N extends keyof Api[G]> = Api[G][N] extends (...args: never[]) => Promise<infer R> ? R : never
type Args<G extends keyof Api, N extends keyof Api[G]> = Api[G][N] extends (args: infer A, ...rest: never[]) => unknown ? A : never
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Fits<A, B> = A extends B ? true : false
type Results = {
${[...names, ...bodies].join('\n')}
}
type Wrong = { [K in keyof Results]: Results[K] extends true ? never : K }[keyof Results]
export const wrong: Record<Wrong, true> = {}
`,
    )
    const compilerOptions = {
      target: 'ESNext',
      module: 'Preserve',
      moduleResolution: 'bundler',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ['bun'],
    }
    await Bun.write(
      join(base, 'same.json'),
      JSON.stringify({ compilerOptions, files: ['same.ts'] }),
    )
    await run(base, [binOf('tsc'), '-p', 'same.json'])
  })
})

const STRICT = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: [],
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  },
  include: ['*.ts'],
}

const CONSUMER = `
import { ApiFailure, createClient, CutOff, type RecallResult, type SvcClient } from 'svc-client'
import { type ChatState, SvcProvider, useChat } from 'svc-client/react'

const svc: SvcClient = createClient({ baseUrl: 'http://localhost:3000', apiKey: 'svc_key' })
export const found: RecallResult = await svc.memories.recall({ query: 'tea', limit: 3 })
export const text: string | undefined = found.memories[0]?.content_text
// @ts-expect-error: the question is required
await svc.memories.recall({ limit: 3 })
// @ts-expect-error: an unknown type of memory
await svc.memories.remember({ content: 'tea', memory_type: 'other' })
const file: Blob = await svc.files.getFileContent({ file_id: '1' })
await svc.files.uploadFile({ file })
for await (const part of await svc.conversation.chatStream({ message: 'Hi' })) {
  if (part.event === 'delta') console.log(part.data.text)
  if (part.event === 'done') console.log(part.data.message.id)
  // @ts-expect-error: the client throws errors
  if (part.event === 'error') break
}
export const useFirstChat = (): ChatState => useChat()
export const provider = SvcProvider({ client: svc })
try {
  await svc.system.health()
} catch (error) {
  if (error instanceof ApiFailure) console.log(error.status, error.reason, error.fix)
  if (error instanceof CutOff) console.log(error.message)
}
`

const AI_CONSUMER = `
import { generateText } from 'ai'
import { createClient } from 'svc-client'
import { type MemoryTools, memoryTools, withMemory } from 'svc-client/ai'

const client = createClient({ baseUrl: 'http://localhost:3000' })
const tools: MemoryTools = memoryTools({ client })
export const answer = (model: Parameters<typeof withMemory>[0]) =>
  generateText({ model: withMemory(model, { client, thread: 'chat-1' }), tools, prompt: 'Hi' })
`

test('the types for the AI SDK are strict too; those of the AI SDK itself are not', async () => {
  const { directory, write } = await createProject('npm')
  await write('consumer.ts', AI_CONSUMER)
  await write('tsconfig.json', JSON.stringify(STRICT))
  const output = await run(directory, [binOf('tsc'), '-p', '.', '--pretty', 'false']).catch(String)
  expect(
    output.split('\n').filter((line) => /^(?:consumer|.*svc-client)\b.*error/.test(line)),
  ).toEqual([])
})

for (const manager of ['npm', 'bun'] as const)
  test(`a project that installed the package with ${manager} compiles with tsc --strict`, async () => {
    const { directory, write } = await createProject(manager)
    await write('consumer.ts', CONSUMER)
    await write('tsconfig.json', JSON.stringify(STRICT))
    await run(directory, [binOf('tsc'), '-p', '.'])
    expect(
      (await readdir(join(directory, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ).toEqual(['svc-client'])
  })

test('the samples of the README and of the reference compile', async () => {
  const { directory, write } = await createProject('npm')
  for (const path of ['clients/npm/README.md', 'docs/reference/clients.md']) {
    const page = await Bun.file(join(ROOT, path)).text()
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block)
    expect(blocks.length).toBeGreaterThan(2)
    await write(`${path.replaceAll('/', '-')}.ts`, blocks.join('\n'))
  }
  const compilerOptions = { ...STRICT.compilerOptions, skipLibCheck: true, types: ['bun'] }
  await write('tsconfig.json', JSON.stringify({ ...STRICT, compilerOptions }))
  await run(directory, [binOf('tsc'), '-p', '.'])
})
