import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createEncoder } from '../../server/memory/engines/embedding/encoder/encoder.ts'
import { writeEncoder } from '../harness/encoder-model.ts'
import { eventually } from '../harness/eventually.ts'
import { COMMIT, type ModelHub, startModelHub } from '../harness/model-hub.ts'

setDefaultTimeout(120_000)

const root = mkdtempSync(join(tmpdir(), 'svc-test-models-'))
const hubFiles = join(root, 'hub')
const MAIN = resolve(import.meta.dir, '../../cli/main.ts')
const NAME = 'org/tiny'
const MODEL = join(hubFiles, NAME, 'onnx/model.onnx')

let hub: ModelHub
let dataDir: string
beforeAll(() => {
  writeEncoder(join(hubFiles, NAME), { words: ['tea'] })
  hub = startModelHub(hubFiles)
})
beforeEach(() => {
  dataDir = mkdtempSync(join(root, 'data-'))
  hub.misbehave = undefined
  hub.requests.length = 0
})
afterAll(async () => {
  await hub[Symbol.asyncDispose]()
  rmSync(root, { recursive: true, force: true })
})

const start = (args: string[], env: Record<string, string> = {}) =>
  Bun.spawn([process.execPath, MAIN, 'models', ...args], {
    cwd: root,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: root,
      SVC_DATA_DIR: dataDir,
      SVC_MODELS_URL: hub.url,
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })

const finish = async (child: ReturnType<typeof start>) => {
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

const svc = (args: string[], env?: Record<string, string>) => finish(start(args, env))
const install = (...args: string[]) => svc(['install', NAME, '--yes', ...args])
const installedModel = () => join(dataDir, 'models/org--tiny/onnx/model.onnx')
const stagedModel = () => join(dataDir, 'models/org--tiny.partial/onnx/model.onnx')

test('a model is downloaded, verified, listed, loaded and removed', async () => {
  const installed = await install('--json')
  expect(installed).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the licence is apache-2.0'),
  })
  const sha256 = new Bun.CryptoHasher('sha256').update(readFileSync(MODEL)).digest('hex')
  expect(JSON.parse(installed.stdout)).toMatchObject({
    name: NAME,
    source: NAME,
    revision: COMMIT,
    licence: 'apache-2.0',
    files: { 'onnx/model.onnx': { bytes: statSync(MODEL).size, sha256 } },
  })
  // All files are those of the commit that the first response named.
  expect(hub.requests.filter((path) => path.includes('/resolve/main/'))).toHaveLength(1)
  expect((await svc(['list'])).stdout).toMatch(
    /^NAME .*\norg\/tiny +apache-2.0 +0\.0 MB +org\/tiny\n$/,
  )
  expect(await install()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already installed'),
  })

  const embed = async () => {
    const encoder = createEncoder({ model: NAME, directory: join(dataDir, 'models/org--tiny') })
    try {
      return await encoder.embed(['tea'], 'memory', AbortSignal.timeout(60_000))
    } finally {
      await encoder.stop()
    }
  }
  expect((await embed())[0]).toHaveLength(16)
  const bytes = readFileSync(installedModel())
  bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1
  writeFileSync(installedModel(), bytes)
  await expect(embed()).rejects.toThrow('onnx/model.onnx differs from the file that was installed')

  expect((await svc(['remove', NAME])).code).toBe(0)
  expect(existsSync(installedModel())).toBe(false)
  expect(await svc(['remove', NAME])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not installed'),
  })
})

test('a directory is installed by its name', async () => {
  expect((await svc(['install', `./hub/${NAME}`, '--yes'])).code).toBe(0)
  expect(readFileSync(join(dataDir, 'models/tiny/onnx/model.onnx'))).toEqual(readFileSync(MODEL))
  expect(hub.requests).toEqual([])
})

test('nothing is downloaded without a confirmation of the licence', async () => {
  const refused = await svc(['install', NAME])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') })
  expect(hub.requests).toEqual([])
})

test.each([
  ['a missing directory', ['./none'], /none does not exist/],
  ['a directory without a model', ['./hub'], /There is no onnx\/model.onnx/],
  ['a name with a path in it', ['org/../tiny'], /is not the name of a model/],
  ['an unknown short name', ['nothing'], /not a model that svc knows \(minilm, multilingual-e5\)/],
  ['an unknown repository', ['org/none'], /has no config.json of org\/none at main/],
  ['a file outside the model', [NAME, '--file', '../../x.onnx'], /--file must be/],
  ['a missing file', [NAME, '--file', 'onnx/other.onnx'], /has no onnx\/other.onnx/],
])('%s is refused', async (_, args, message) => {
  const { code, stderr } = await svc(['install', ...args, '--yes'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  expect((await svc(['list', '--json'])).stdout.trim()).toBe('[]')
})

test('a file that differs from its hash is not installed', async () => {
  hub.misbehave = (path, _, bytes) =>
    path.includes('/stored/')
      ? new Response(new Uint8Array(bytes.map((byte) => byte ^ 1)))
      : undefined
  expect(await install()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('differs from the hash'),
  })
  expect(existsSync(stagedModel())).toBe(false)
})

test('an unreachable hub is named', async () => {
  const { code, stderr } = await svc(['install', NAME, '--yes'], {
    SVC_MODELS_URL: 'http://127.0.0.1:1',
  })
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('could not be downloaded from http://127.0.0.1:1'),
  ])
})

test('a download of a killed command continues, and excludes another command until then', async () => {
  const half = Math.floor(statSync(MODEL).size / 2)
  hub.misbehave = (path, _, bytes) =>
    path.includes('/stored/')
      ? new Response(
          new ReadableStream({
            async pull(controller) {
              controller.enqueue(new Uint8Array(bytes.subarray(0, half)))
              await new Promise(() => {})
            },
          }),
        )
      : undefined
  const child = start(['install', NAME, '--yes'])
  await eventually(() => existsSync(stagedModel()) && statSync(stagedModel()).size === half)
  expect(await install()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Another command'),
  })
  child.kill('SIGKILL')
  await child.exited
  hub.misbehave = undefined
  hub.requests.length = 0
  expect((await install()).code).toBe(0)
  expect(hub.requests).toContain(`/${NAME}/stored/onnx/model.onnx bytes=${half}-`)
  expect(readFileSync(installedModel())).toEqual(readFileSync(MODEL))
})
