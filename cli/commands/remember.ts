import { remember as row } from '../../shared/contract/memory.ts'
import type { MemoryType } from '../../shared/schemas/memory.ts'
import { type Context, signedIn } from '../context.ts'
import { usageError } from '../errors.ts'
import { given } from '../given.ts'
import { readPiped, readTextFile, trimEnd } from '../input.ts'
import type { Io } from '../output.ts'

export interface RememberArgs {
  text: string[]
  file?: string
  type?: MemoryType
  tag?: string[]
  thread?: string
  author?: string
  importance?: number
  occurredAt?: string
}

/** Remembers a text; its memory's id goes to stdout. */
export const remember = async (context: Context, args: RememberArgs): Promise<void> => {
  const client = signedIn(context)
  const memory = await client.call(row, {
    body: {
      content: await readContent(args, context.io),
      ...given({
        memory_type: args.type,
        tags: args.tag,
        thread: args.thread,
        author: args.author,
        importance: args.importance,
        occurred_at: args.occurredAt,
      }),
    },
  })
  if (context.json) context.io.printJson(memory)
  else context.io.print(memory.memory_id)
  if (memory.deduplicated) context.io.note('It was remembered already.')
}

/** The words of the command, a file, or what is piped in; a lone `-` asks for the latter. */
const readContent = async ({ text: words, file }: RememberArgs, io: Io): Promise<string> => {
  if (file !== undefined && words.length)
    throw usageError(
      'There is a text and a file.',
      'Give one of them: svc remember --file notes.md',
    )
  const text = trimEnd(await readText(words, file, io))
  if (/\S/.test(text)) return text
  throw usageError('There is nothing to remember.', 'Run: svc remember "Ada prefers tea"')
}

const readText = async (words: string[], file: string | undefined, io: Io): Promise<string> => {
  if (file !== undefined && file !== '-') return readTextFile(file)
  const asksForStdin = file === '-' || (words.length === 1 && words[0] === '-')
  const isPiped = words.length === 0 && file === undefined && !io.stdinIsTerminal
  return asksForStdin || isPiped ? readPiped(io) : words.join(' ')
}
