import { getMemory, type MemoryType, updateMemory } from '../../../shared/contract/memories.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { CliError, usageError } from '../../errors.ts'
import { resolveId } from '../../ids.ts'
import { canAsk, readPipedInput, trimLineEnds } from '../../input.ts'
import type { Io } from '../../output.ts'
import { editText } from '../../programs.ts'
import { memoryIds } from './ids.ts'

interface EditMemoryArgs {
  id: string
  content?: string
  type?: MemoryType
  tag?: string[]
  clearTags?: boolean
  thread?: string
  project?: string
  author?: string
  importance?: number
  occurredAt?: string
}

/** Changes the fields given as options; without options, opens the text in the editor. */
export const runMemoriesEdit = async (context: Context, args: EditMemoryArgs): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  const params = { memory_id: await resolveId(args.id, memoryIds(client)) }
  const changes = await readChanges(args, io)
  const body = Object.keys(changes).length ? changes : await readFromEditor(context, params)
  if (!body) return io.info('No changes.')
  const memory = await client.call(updateMemory, { params, body })
  if (context.json) io.printJson(memory)
  else io.print(memory.memory_id)
  io.info(`Updated. To see earlier versions, run: svc memories history ${memory.memory_id}`)
}

/** The content `-` is read from stdin. */
const readChanges = async (args: EditMemoryArgs, io: Io) => {
  const content = args.content === '-' ? await readPipedInput(io) : args.content
  if (content !== undefined && !/\S/.test(content))
    throw usageError(
      'A memory cannot be empty.',
      `To delete it, run: svc memories delete ${args.id}`,
    )
  return definedFields({
    content,
    memory_type: args.type,
    tags: args.clearTags ? [] : args.tag,
    thread: args.thread,
    project: args.project,
    author: args.author,
    importance: args.importance,
    occurred_at: args.occurredAt,
  })
}

const readFromEditor = async (context: Context, params: { memory_id: string }) => {
  const { io } = context
  if (!canAsk(io))
    throw usageError(
      'There are no changes to make.',
      `Run: svc memories edit ${params.memory_id} --content "…"`,
    )
  const { content_text } = await signedInClient(context).call(getMemory, { params })
  const content = trimLineEnds(await editText(content_text, context.environment.editor, io.runtime))
  if (!/\S/.test(content))
    throw new CliError(
      'The text is empty. The memory was not changed.',
      `To delete it, run: svc memories delete ${params.memory_id}`,
    )
  return content === trimLineEnds(content_text) ? undefined : { content }
}
