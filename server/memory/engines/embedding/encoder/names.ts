import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { repositoryFile } from '../../../../platform/files.ts'

/** A name of the catalogue, or `organization/name` of a hub. */
const NAME = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)?$/
const MAX_LENGTH = 200

export const isModelName = (text: string): boolean => text.length <= MAX_LENGTH && NAME.test(text)

/** `/…`, `./…` and `../…` are directories; everything else is a name. */
export const isModelPath = (text: string): boolean =>
  isAbsolute(text) || /^\.{1,2}(?:\/|$)/.test(text)

/** The directory of the installed models. */
export const modelsDirectory = (dataDir: string): string => join(dataDir, 'models')

/** Where the model of a name is installed, or the directory that is given in its place. */
export const modelDirectory = (dataDir: string, model: string): string =>
  isModelPath(model) ? resolve(model) : join(modelsDirectory(dataDir), model.replace('/', '--'))

/** The model that svc has in itself. */
export const BUILT_IN_ENCODER = {
  model: 'minilm',
  directory: repositoryFile('server/memory/engines/embedding/minilm'),
}

/** The model of many languages that svc knows how to install. */
export const MULTILINGUAL = 'multilingual-e5'

/** The built-in encoder where none is configured. For other languages there is a better one. */
export const defaultEncoder = (dataDir: string) => ({
  ...BUILT_IN_ENCODER,
  multilingual: modelDirectory(dataDir, MULTILINGUAL),
})

/** The encoder that an operator has chosen. The name of the built-in one chooses it, unless another has that name. */
export const chosenEncoder = (dataDir: string, model: string) => {
  const directory = modelDirectory(dataDir, model)
  return model === BUILT_IN_ENCODER.model && !existsSync(directory)
    ? BUILT_IN_ENCODER
    : { model, directory }
}
