import {
  type MemoryType,
  type Remembered,
  remember as row,
} from '../../shared/contract/memories.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { usageError } from '../errors.ts'
import { readPipedInput, readTextFile, trimLineEnds } from '../input.ts'
import type { Io } from '../output.ts'

interface RememberArgs {
  text: string[]
  file?: string
  type?: MemoryType
  tag?: string[]
  thread?: string
  project?: string
  author?: string
  importance?: number
  occurredAt?: string
}

/** Stores a memory and prints its id. */
export const runRemember = async (context: Context, args: RememberArgs): Promise<void> => {
  const client = signedInClient(context)
  const memory = await client.call(row, {
    body: {
      content: await readContent(args, context.io),
      ...definedFields({
        memory_type: args.type,
        tags: args.tag,
        thread: args.thread,
        project: args.project,
        author: args.author,
        importance: args.importance,
        occurred_at: args.occurredAt,
      }),
    },
  })
  if (context.json) context.io.printJson(memory)
  else context.io.print(memory.memory_id)
  if (memory.deduplicated)
    context.io.info(['This memory already exists.', ...describeAdded(memory)].join(' '))
}

const describeAdded = ({ added }: Remembered): string[] => [
  ...(added?.tags ? [`Added tags: ${added.tags.join(', ')}.`] : []),
  ...(added?.importance === undefined ? [] : [`Its importance is now ${added.importance}.`]),
]

/** The text of the command line, of a file, or of stdin (`-`, or without arguments). */
const readContent = async ({ text: words, file }: RememberArgs, io: Io): Promise<string> => {
  if (file !== undefined && words.length)
    throw usageError(
      'Text and --file cannot be combined.',
      'Use one of them: svc remember --file notes.md',
    )
  const text = trimLineEnds(await readText(words, file, io))
  if (/\S/.test(text)) return text
  throw usageError('The text is empty.', 'Run: svc remember "Ada prefers tea"')
}

const readText = async (words: string[], file: string | undefined, io: Io): Promise<string> => {
  if (file !== undefined && file !== '-') return readTextFile(file, io.runtime)
  const wantsStdin = file === '-' || (words.length === 1 && words[0] === '-')
  const isPiped = words.length === 0 && file === undefined && !io.stdinIsTerminal
  return wantsStdin || isPiped ? readPipedInput(io) : words.join(' ')
}
