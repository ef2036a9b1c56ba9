import { commandLine } from './command-line.ts'
import type { Context } from './context.ts'
import { usageError } from './errors.ts'
import { canAsk, confirm } from './input.ts'

interface ConfirmedChange<T> {
  /** Whether `--yes` was set. */
  yes: boolean | undefined
  /** The words of the command, which the error repeats with `--yes`. */
  words: string[]
  find: () => Promise<T> | T
  question: (item: T) => string
  change: (item: T) => Promise<unknown>
  /** The object for `--json`. Before the change it has the same fields, or is undefined. */
  response: (item: T) => object | undefined
  /** The message on stderr afterwards. */
  done: (item: T) => string
}

/**
 * Finds an item, asks for a confirmation, and changes the item.
 * @throws CliError before any request if there is no terminal for the question.
 */
export const changeConfirmed = async <T>(
  context: Context,
  { yes, words, find, question, change, response, done }: ConfirmedChange<T>,
): Promise<void> => {
  const { io, json } = context
  if (!yes && !canAsk(io))
    throw usageError(
      'This requires a confirmation, and there is no terminal to ask.',
      `Run: ${commandLine(context, words, { yes: true })}`,
    )
  const item = await find()
  if (!yes && !(await confirm(question(item), io))) return io.info('Nothing was changed.')
  const known = response(item)
  if (known) io.willPrint(Object.keys(known))
  await change(item)
  if (json) io.printJson(response(item))
  io.info(done(item))
}
