import { readFile } from 'node:fs/promises'
import {
  importUsers,
  type UserImportFormat,
  type UserImportReport,
} from '../../../shared/contract/user-import.ts'
import type { Context } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { CliError, usageError } from '../../errors.ts'
import { countBytes, formatProgress, openInput } from '../../file-input.ts'
import { failRead, pathIn } from '../../input.ts'
import { oneLine } from '../../output.ts'
import type { Runtime } from '../../runtime.ts'
import { accountClient } from '../../session.ts'

interface ImportUsersArgs {
  file: string
  format?: UserImportFormat
  dryRun?: boolean
  firebaseConfig?: string
}

/** Maximum number of failed lines that are printed. */
const MAX_SHOWN_FAILURES = 20

/** Imports users from a file or stdin, and prints the report. */
export const runAdminUsersImport = async (
  context: Context,
  { file, format, dryRun, firebaseConfig }: ImportUsersArgs,
): Promise<void> => {
  const { io } = context
  const config = firebaseConfig ? await readConfig(firebaseConfig, io.runtime) : undefined
  const { bytes, size } = await openInput(file, io.runtime)
  const counted = countBytes(bytes, (read) => io.showProgress(formatProgress(read, size)))
  const report = await accountClient(context).call(importUsers, {
    file: config ? withConfig(await decompressed(counted), config) : counted,
    query: definedFields({ format, dry_run: dryRun }),
  })
  if (context.json) io.printJson(report)
  else printReport(context, report)
  if (report.failed_count === 0) return
  throw new CliError(
    `${report.failed_count} ${report.failed_count === 1 ? 'user' : 'users'} could not be imported.`,
    'Correct them and import the file again. Accounts that exist are left as they are.',
  )
}

const printReport = ({ io }: Context, report: UserImportReport): void => {
  const { imported, existing, failed, failed_count } = report
  const done = report.dry_run ? 'would be imported' : 'imported'
  io.print(`${imported} ${done}, ${existing} already there, ${failed_count} failed`)
  if (report.skipped_identities > 0)
    io.message(`${report.skipped_identities} identities at other providers were left out.`)
  if (report.skipped_factors > 0)
    io.message(`${report.skipped_factors} users have no second factor any more.`)
  for (const { line, field, detail } of failed.slice(0, MAX_SHOWN_FAILURES))
    io.message(`${line}: ${field === undefined ? '' : `${oneLine(field)}: `}${oneLine(detail)}`)
}

const KEYS = ['base64_signer_key', 'base64_salt_separator', 'rounds', 'mem_cost'] as const

/** Reads the hash parameters as the Firebase console shows them, or as JSON. @returns them as JSON. */
const readConfig = async (typed: string, runtime: Runtime): Promise<string> => {
  const path = pathIn(runtime, typed)
  const text = await readFile(path, 'utf8').catch(failRead({ typed, path }))
  const config = new Map(
    text
      .split(/[,\n{}]/)
      .map((line) => line.split(':').map((part) => part.trim().replaceAll('"', '')))
      .map(([key = '', value]) => [key, value]),
  )
  const missing = KEYS.find((key) => !config.get(key))
  if (missing !== undefined)
    throw usageError(
      `${typed} has no ${missing}.`,
      'Save the hash parameters of the Firebase console there: Authentication, Users, Password hash parameters.',
    )
  return JSON.stringify({
    base64_signer_key: config.get('base64_signer_key'),
    base64_salt_separator: config.get('base64_salt_separator'),
    rounds: Number(config.get('rounds')),
    mem_cost: Number(config.get('mem_cost')),
  })
}

const GZIP = [0x1f, 0x8b]

/** The content of a file, which may be compressed with gzip. */
const decompressed = async (
  bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
  const reader = bytes.getReader()
  const first = await reader.read()
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (first.value) controller.enqueue(first.value)
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const isGzip = GZIP.every((byte, i) => first.value?.[i] === byte)
  return isGzip ? whole.pipeThrough(new DecompressionStream('gzip')) : whole
}

const OPENING = '{'.charCodeAt(0)

/** Inserts the hash parameters into the first object of a file. */
const withConfig = (bytes: ReadableStream<Uint8Array>, config: string) => {
  let isOpen = false
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const start = isOpen ? -1 : chunk.indexOf(OPENING)
        if (start < 0) return controller.enqueue(chunk)
        isOpen = true
        controller.enqueue(chunk.subarray(0, start + 1))
        controller.enqueue(new TextEncoder().encode(`"hash_config":${config},`))
        controller.enqueue(chunk.subarray(start + 1))
      },
    }),
  )
}
