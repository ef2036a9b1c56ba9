import { Database as Sqlite } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { OperatorError } from '../../../../platform/operator-error.ts'
import { downloadFile } from './hub.ts'
import {
  findModelFile,
  MANIFEST,
  MAX_MODEL_BYTES,
  type ModelManifest,
  readManifest,
} from './layout.ts'
import { isModelName, isModelPath, modelDirectory, modelsDirectory } from './names.ts'

/** The repositories at the hub of the models that svc knows by short names. */
const CATALOGUE: Record<string, string> = {
  minilm: 'sentence-transformers/all-MiniLM-L6-v2',
  'multilingual-e5': 'intfloat/multilingual-e5-small',
}

const README = 'README.md'
const REQUIRED = ['config.json', 'tokenizer.json']
const OPTIONAL = [
  'tokenizer_config.json',
  'modules.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  '1_Pooling/config.json',
]
const MAX_FILE_BYTES = 64 * 1024 * 1024
const PARTIAL = '.partial'

export interface InstalledModel extends ModelManifest {
  name: string
  bytes: number
}

/** The model before it is downloaded or copied. */
export interface OfferedModel {
  source: string
  /** As the model's page names it. */
  licence: string | undefined
}

export interface InstallOptions {
  dataDir: string
  hub: string
  /** A name of the catalogue, `organization/name` or a directory. */
  model: string
  /** The branch, tag or commit at the hub. */
  revision: string
  /** The ONNX file, where it is not the usual one. */
  file: string | undefined
  signal: AbortSignal
  report(text: string): void
  /** Whether the licence is accepted. Asked before the model is downloaded. */
  accept(model: OfferedModel): Promise<boolean>
}

/** A model before its files are hashed. */
type Found = Omit<ModelManifest, 'files'>

/**
 * Installs a model in the data directory, as a whole or not at all. A download that was interrupted
 * continues.
 * @returns undefined if the licence is not accepted.
 * @throws OperatorError
 */
export const installModel = async (
  options: InstallOptions,
): Promise<InstalledModel | undefined> => {
  const { dataDir, model, file } = options
  const isPath = isModelPath(model)
  const name = isPath ? basename(resolve(model)) : model
  const target = checkedDirectory(dataDir, name)
  if (file && !(file.endsWith('.onnx') && file.split('/').every(isModelName)))
    throw new OperatorError('--file must be the path of an .onnx file of the model')
  if (!isPath && !CATALOGUE[name] && !name.includes('/'))
    throw new OperatorError(
      `${name} is not a model that svc knows (${Object.keys(CATALOGUE).join(', ')}); name one of the hub as organization/name`,
    )
  mkdirSync(modelsDirectory(dataDir), { recursive: true, mode: 0o700 })
  using _lock = lockModels(dataDir)
  if (existsSync(target))
    throw new OperatorError(`${name} is already installed; run first: svc models remove ${name}`)
  const staging = target + PARTIAL
  mkdirSync(staging, { recursive: true, mode: 0o700 })
  const found = isPath ? await copyModel(options, staging) : await downloadModel(options, staging)
  if (!found) return undefined
  const files: ModelManifest['files'] = {}
  for (const file of [found.model, ...REQUIRED, ...OPTIONAL, README])
    if (existsSync(join(staging, file))) files[file] = await describeFile(join(staging, file))
  const manifest: ModelManifest = { ...found, files }
  writeFileSync(join(staging, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  renameSync(staging, target)
  return installed(basename(target), manifest)
}

const checkedDirectory = (dataDir: string, name: string): string => {
  if (!isModelName(name) || name.endsWith(PARTIAL))
    throw new OperatorError(
      `${JSON.stringify(name)} is not the name of a model, such as minilm or organization/name`,
    )
  return modelDirectory(dataDir, name)
}

/** The lock of SQLite ends with the process, also after a crash. */
const lockModels = (dataDir: string): Disposable => {
  const file = new Sqlite(join(modelsDirectory(dataDir), 'models.lock'))
  try {
    file.run('begin exclusive')
  } catch (cause) {
    file.close()
    throw new OperatorError('Another command installs or removes a model; wait until it ends', {
      cause,
    })
  }
  return { [Symbol.dispose]: () => file.close() }
}

const describeFile = async (path: string) => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return { bytes: statSync(path).size, sha256: hash.digest('hex') }
}

/** Of the front matter of a model's page. */
const licenceOf = (directory: string): string | undefined => {
  const path = join(directory, README)
  if (!existsSync(path)) return undefined
  const [, matter = ''] = readFileSync(path, 'utf8').split(/^---$/m)
  return /^license: *["']?([\w.-]{1,100})/m.exec(matter)?.[1]
}

const downloadModel = async (
  { hub, model, revision, file, signal, report, accept }: InstallOptions,
  staging: string,
): Promise<Found | undefined> => {
  const repository = CATALOGUE[model] ?? model
  let commit: string | undefined
  const download = async (path: string, isRequired: boolean, maxBytes = MAX_FILE_BYTES) => {
    report(`downloading ${path} of ${repository}`)
    const at = { hub, repository, revision: commit ?? revision, file: path }
    mkdirSync(dirname(join(staging, path)), { recursive: true, mode: 0o700 })
    const done = await downloadFile(at, { path: join(staging, path), maxBytes, signal })
    // An earlier revision may have had it.
    if (!done) rmSync(join(staging, path), { force: true })
    if (!done && isRequired)
      throw new OperatorError(`The hub has no ${path} of ${repository} at ${revision}`)
    // All files are those of one commit.
    commit ??= done?.commit
  }
  await download('config.json', true)
  await download(README, false)
  const licence = licenceOf(staging)
  if (!(await accept({ source: repository, licence }))) return undefined
  for (const path of REQUIRED) await download(path, true)
  for (const path of OPTIONAL) await download(path, false)
  const chosen = file ?? 'onnx/model.onnx'
  await download(chosen, true, MAX_MODEL_BYTES)
  return {
    source: repository,
    model: chosen,
    ...(licence && { licence }),
    revision: commit ?? revision,
  }
}

const copyModel = async (
  { model, file, report, accept }: InstallOptions,
  staging: string,
): Promise<Found | undefined> => {
  const source = resolve(model)
  if (!existsSync(source)) throw new OperatorError(`${source} does not exist`)
  const chosen = file ?? findModelFile(source)
  for (const path of [...REQUIRED, chosen])
    if (!existsSync(join(source, path))) throw new OperatorError(`${source} has no ${path}`)
  const licence = licenceOf(source)
  if (!(await accept({ source, licence }))) return undefined
  rmSync(staging, { recursive: true })
  for (const path of [chosen, ...REQUIRED, ...OPTIONAL, README]) {
    if (!existsSync(join(source, path))) continue
    report(`copying ${path}`)
    mkdirSync(dirname(join(staging, path)), { recursive: true, mode: 0o700 })
    copyFileSync(join(source, path), join(staging, path))
  }
  return { source, model: chosen, ...(licence && { licence }) }
}

const installed = (directory: string, manifest: ModelManifest): InstalledModel => ({
  name: directory.replace('--', '/'),
  bytes: Object.values(manifest.files).reduce((sum, { bytes }) => sum + bytes, 0),
  ...manifest,
})

export const listModels = (dataDir: string): InstalledModel[] => {
  const directory = modelsDirectory(dataDir)
  const names = existsSync(directory) ? readdirSync(directory).sort() : []
  return names.flatMap((name) => {
    const manifest = name.endsWith(PARTIAL) ? undefined : readManifest(join(directory, name))
    return manifest ? [installed(name, manifest)] : []
  })
}

/** Removes a model, or what an interrupted installation left. @throws OperatorError if there is neither. */
export const removeModel = (dataDir: string, name: string): void => {
  const target = checkedDirectory(dataDir, name)
  const found = [target, target + PARTIAL].filter((path) => existsSync(path))
  if (found.length === 0) throw new OperatorError(`${name} is not installed; see: svc models list`)
  using _lock = lockModels(dataDir)
  for (const path of found) rmSync(path, { recursive: true })
}
