import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  deleteFile,
  getFileContent,
  listFiles,
  type StoredFile,
  uploadFile,
} from '../../shared/contract/files.ts'
import { urlBelow } from '../../shared/urls.ts'
import { changeConfirmed } from '../confirmed.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { CliError, usageError } from '../errors.ts'
import { allInPages, findItem, type Kind } from '../ids.ts'
import { pathIn, readBytes, systemMessage, type TypedPath } from '../input.ts'
import { runInterruptible } from '../interrupt.ts'
import { printList, printNextPage } from '../list.ts'
import { oneLine } from '../output.ts'
import { prepareRequest } from './api/request.ts'
import { failureOf } from './api/response.ts'

export const files: Kind<StoredFile> = {
  noun: 'File',
  command: 'svc files list',
  all: (client) =>
    allInPages(
      (query) => client.call(listFiles, { query }),
      ({ id }) => id,
    ),
  id: ({ id }) => id,
  names: ({ name }) => [name],
}

const DEFAULT_LIMIT = 30

export const runFilesList = async (
  context: Context,
  args: { limit?: number; before?: string },
): Promise<void> => {
  const { limit = DEFAULT_LIMIT, before } = args
  const client = signedInClient(context)
  const page = await client.call(listFiles, { query: { limit, ...definedFields({ before }) } })
  await printList(context, {
    items: page,
    id: files.id,
    allIds: async () => (await files.all(client)).map(files.id),
    columns: {
      UPLOADED: ({ created_at }) => created_at.slice(0, 10),
      TYPE: ({ type }) => type,
      BYTES: ({ size }) => size,
      NAME: ({ name }) => name,
    },
    empty: 'No files. To upload one, run: svc files upload FILE',
  })
  const next = { limit: args.limit, before: page.at(-1)?.id }
  printNextPage(context, page.length === limit, ['files', 'list'], next)
}

export const runFilesUpload = async (
  context: Context,
  { file: path }: { file: string },
): Promise<void> => {
  const client = signedInClient(context)
  const content = new File([await readBytes(path, context.io.runtime)], basename(path))
  const stored = await runInterruptible(context.io, (signal) =>
    client.call(uploadFile, { upload: content, signal }),
  )
  if (context.json) context.io.printJson(stored)
  else context.io.print(stored.id)
}

const findFile = (context: Context, typed: string): Promise<StoredFile> =>
  findItem(signedInClient(context), files, typed)

interface DownloadArgs {
  id: string
  /** Default: the name of the file in the current folder; `-` is stdout. */
  path?: string
  force?: boolean
}

export const runFilesDownload = async (
  context: Context,
  { id: typed, path, force = false }: DownloadArgs,
): Promise<void> => {
  const { io, url } = context
  const file = await findFile(context, typed)
  io.willPrint([...Object.keys(file), 'path'])
  const target = {
    method: getFileContent.method,
    row: getFileContent,
    body: {},
    url: urlBelow(url, getFileContent.path.replace('{file_id}', file.id)),
  }
  const send = await prepareRequest(context, target, { input: undefined, headerLines: [] })
  await runInterruptible(io, async (signal) => {
    const response = await send(target.url, signal)
    if (!response.ok) throw await failureOf(response)
    if (path === '-') {
      for await (const chunk of response.body ?? []) await io.write(chunk)
      return
    }
    const saved = path ?? oneLine(basename(file.name))
    await saveFile({ typed: saved, path: pathIn(io.runtime, saved) }, response, {
      overwrites: force,
    })
    if (context.json) io.printJson({ ...file, path: saved })
    else io.info(`Downloaded ${saved} (${file.size} bytes).`)
  })
}

export const runFilesDelete = (
  context: Context,
  { id: typed, yes }: { id: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['files', 'delete', typed],
    find: () => findFile(context, typed),
    question: ({ name }) => `Delete the file ${oneLine(name)} permanently?`,
    change: ({ id }) => signedInClient(context).call(deleteFile, { params: { file_id: id } }),
    response: (file) => ({ ...file, deleted: true }),
    done: ({ name }) => `Deleted the file ${oneLine(name)}.`,
  })

/** Writes the body of a response to a file that only the user can read, and that exists only when complete. */
const saveFile = async (
  target: TypedPath,
  response: Response,
  { overwrites }: { overwrites: boolean },
): Promise<void> => {
  const { typed, path } = target
  if (existsSync(path) && !overwrites)
    throw usageError(`${typed} already exists.`, 'Name another path, or add --force to replace it.')
  const partial = `${path}.part`
  try {
    const file = createWriteStream(partial, { mode: 0o600 })
    await pipeline(Readable.from(response.body ?? []), file)
    await rename(partial, path)
  } catch (cause) {
    await rm(partial, { force: true }).catch(() => {})
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause
    throw new CliError(
      `Cannot write ${typed}: ${systemMessage(cause, target)}`,
      'Check the path and its permissions.',
      { cause },
    )
  }
}
