import { getMemory, updateMemory } from '../../../shared/contract/memory.ts'
import type { MemoryType } from '../../../shared/schemas/memory.ts'
import { type Context, signedIn } from '../../context.ts'
import { editText } from '../../editor.ts'
import { CliError, usageError } from '../../errors.ts'
import { given } from '../../given.ts'
import { readPiped, trimEnd } from '../../input.ts'
import type { Io } from '../../output.ts'

export interface EditMemoryArgs {
  id: string
  content?: string
  type?: MemoryType
  tag?: string[]
  clearTags?: boolean
  thread?: string
  author?: string
  importance?: number
  occurredAt?: string
}

/** Changes what is named; without anything named, the text in the person's editor. */
export const edit = async (context: Context, args: EditMemoryArgs): Promise<void> => {
  const { io } = context
  const client = signedIn(context)
  const params = { memory_id: args.id }
  const named = await readNamed(args, io)
  const body = Object.keys(named).length ? named : await fromEditor(context, params)
  if (!body) return io.note('Nothing was changed.')
  const memory = await client.call(updateMemory, { params, body })
  if (context.json) io.printJson(memory)
  else io.print(memory.memory_id)
  io.note(`Changed. What it was: svc memories history ${memory.memory_id}`)
}

/** `-` is what is piped in. */
const readNamed = async (args: EditMemoryArgs, io: Io) => {
  const content = args.content === '-' ? await readPiped(io) : args.content
  if (content !== undefined && !/\S/.test(content))
    throw usageError('A memory cannot be empty.', `Run: svc memories delete ${args.id}`)
  return given({
    content,
    memory_type: args.type,
    tags: args.clearTags ? [] : args.tag,
    thread: args.thread,
    author: args.author,
    importance: args.importance,
    occurred_at: args.occurredAt,
  })
}

const fromEditor = async (context: Context, params: { memory_id: string }) => {
  const { io } = context
  if (!io.stdinIsTerminal || !io.stderrIsTerminal)
    throw usageError(
      'There is nothing to change it to.',
      `Run: svc memories edit ${params.memory_id} --content "…"`,
    )
  const { content_text } = await signedIn(context).call(getMemory, { params })
  const content = trimEnd(await editText(content_text, context.environment.editor))
  if (!/\S/.test(content))
    throw new CliError(
      'The text was empty, so nothing was changed.',
      `To forget it, run: svc memories delete ${params.memory_id}`,
    )
  return content === trimEnd(content_text) ? undefined : { content }
}
