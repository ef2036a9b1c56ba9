import { ApiFailure, type Client } from '../../shared/client.ts'
import { isUuid, Uuid } from '../../shared/contract/common.ts'
import { getMemory } from '../../shared/contract/index.ts'
import { Memory } from '../../shared/contract/memories.ts'
import { errorText } from '../../shared/errors.ts'
import { ToolCallError } from '../host.ts'
import { expectResponse } from '../response.ts'
import { invalidArgument } from './arguments.ts'

export const memoryId = { memory_id: Uuid({ description: 'From recall or list.' }) }

/** @throws ToolCallError. The id is part of a path, in which any value would become a text. */
export const readMemoryId = (value: unknown): string => {
  if (value === undefined)
    throw invalidArgument('memory_id', 'is required; recall and list return it')
  if (typeof value === 'string' && isUuid(value)) return value
  throw invalidArgument('memory_id', 'must be a UUID, as recall and list return it')
}

/**
 * Calls the API about memories. The error names the next step if there is no such memory, another one
 * superseded it, or has the same content.
 * @throws ToolCallError
 */
export const callAbout = async <T>(
  client: Client,
  memoryIds: readonly string[],
  call: () => Promise<T>,
): Promise<T> => {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.detail === errorText.notFound) throw error
    const step = await nextStep(client, memoryIds, error)
    throw step ? new ToolCallError(`${error.message}. ${step}`, { cause: error }) : error
  }
}

const nextStep = async (
  client: Client,
  memoryIds: readonly string[],
  { status }: ApiFailure,
): Promise<string | undefined> => {
  if (status === 404)
    return 'Call recall or list to get its id; if it was forgotten, call list with deleted, then restore.'
  if (status !== 409) return undefined
  for (const memory_id of memoryIds) {
    const successor = await findSuccessor(client, memory_id)
    if (successor) return `${successor} has superseded ${memory_id}: call again with that id.`
  }
  return 'Call recall with the content to find that memory.'
}

const findSuccessor = async (client: Client, memory_id: string): Promise<string | null> => {
  const response = await client.call(getMemory, { params: { memory_id } }).catch(() => undefined)
  return response === undefined ? null : expectResponse(Memory, response).superseded_by
}
