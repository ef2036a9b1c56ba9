import { remember as row } from '../../shared/contract/memory.ts'
import type { MemoryType } from '../../shared/schemas/memory.ts'
import { type Context, signedIn } from '../context.ts'
import { CliError } from '../errors.ts'
import { given } from '../given.ts'
import { readStdin } from '../input.ts'
import type { Io } from '../output.ts'

export interface RememberArgs {
  text: string[]
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
      content: await readContent(args.text, context.io),
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
  if (memory.deduplicated) context.io.say('It was remembered already.')
}

/** The words of the command, or what is piped in; a lone `-` asks for the latter. */
const readContent = async (words: string[], { stdinIsTerminal }: Io): Promise<string> => {
  const piped = words.length === 0 ? !stdinIsTerminal : words.length === 1 && words[0] === '-'
  const text = piped ? (await readStdin()).replace(/[\r\n]+$/, '') : words.join(' ')
  if (/\S/.test(text)) return text
  throw new CliError('There is nothing to remember.', 'Run: svc remember "Ada prefers tea"', {
    kind: 'usage',
  })
}
