import { fieldsOf, isObject, type JsonObject } from '../../../shared/objects.ts'
import { budgets } from '../../platform/budgets.ts'
import { countProblem, measureJson } from '../../platform/http/json.ts'
import { BLOCK_BEGIN } from '../../prompt/context/block.ts'
import { identifyClient, type ProxyClient } from './clients.ts'
import { type Dialect, listIn, type ProxiedMessage, storable } from './dialect.ts'
import { proxyError } from './errors.ts'
import { elementSpans, type Insertion, insertAll, memberSpan, rootSpan } from './json-text.ts'

/** A request to a model, as the memory reads it. */
export interface ProxiedRequest {
  json: string
  body: JsonObject
  messages: ProxiedMessage[]
  /** The indexes of the person's messages. */
  persons: number[]
  client: ProxyClient
  /** Whether the model has not begun to answer the last of them. */
  isStart: boolean
}

/** @returns undefined for a text that is no object of JSON, or takes too long to parse. */
export const readRequest = (
  json: string,
  headers: Headers,
  dialect: Dialect,
): ProxiedRequest | undefined => {
  const body = parseObject(json)
  if (!body) return undefined
  const messages = dialect.messagesOf(body)
  const persons = [...messages.keys()].filter((index) => messages[index]?.kind === 'person')
  const lastText = messages.findLast(({ kind }) => kind !== 'model')?.raw ?? ''
  const client = identifyClient({ headers, body, system: dialect.systemOf(body), lastText })
  const isStart = !messages.slice((persons.at(-1) ?? 0) + 1).some(({ kind }) => kind === 'model')
  return { json, body, messages, persons, client, isStart }
}

const parseObject = (json: string): JsonObject | undefined => {
  const measure = measureJson(json)
  const { depth } = budgets.proxyBody
  if (countProblem(measure, budgets.proxyBody) || measure.depth > depth) return undefined
  try {
    const body: unknown = JSON.parse(json)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

/** Whether the messages from this one on have memories of svc already, which a hook added. */
export const hasMemories = ({ messages }: ProxiedRequest, person: number): boolean => {
  const next = messages.findIndex(({ kind }, index) => index > person && kind !== 'context')
  const end = next < 0 ? messages.length : next
  return messages.slice(person, end).some(({ raw }) => raw.includes(BLOCK_BEGIN))
}

/**
 * Adds a text after each of the person's messages that has one. All else in the request stays as the client
 * wrote it.
 */
export const addTexts = (request: ProxiedRequest, dialect: Dialect, texts: string[]): string => {
  const { json, body, persons } = request
  const name = dialect.messagesName
  const list = memberSpan(json, rootSpan(json), name)
  const added = texts
    .map((text, index) => ({ text, person: persons[index] ?? 0 }))
    .filter(({ text, person }) => text !== '' && !hasMemories(request, person))
  if (!list || added.length === 0) return json
  if (typeof body[name] === 'string')
    return insertAll(json, dialect.insertAfterOnly?.(list, added[0]?.text ?? '') ?? [])
  const spans = elementSpans(json, list)
  const values = listIn(body[name])
  const insertions = added.flatMap(({ text, person }): Insertion[] => {
    const span = spans[person]
    return span ? dialect.insertAfter(json, span, fieldsOf(values[person]), text) : []
  })
  return insertAll(json, insertions)
}

/** The part of the memory in a request: it adds and stores, only adds, or does neither. */
export interface MemoryMode {
  isAdding: boolean
  isStoring: boolean
}

const MODES: Record<string, MemoryMode> = {
  on: { isAdding: true, isStoring: true },
  read: { isAdding: true, isStoring: false },
  off: { isAdding: false, isStoring: false },
}

/** @throws ApiError 400 for a value that is none of `on`, `read` and `off`. */
export const memoryMode = (headers: Headers): MemoryMode => {
  const mode = MODES[headers.get('x-svc-memory')?.trim().toLowerCase() ?? 'on']
  if (!mode) throw proxyError('proxy_memory_invalid')
  return mode
}

const MAX_NAME_LENGTH = 200

/** The session that the client names. @throws ApiError 400 for a header that is empty or too long. */
export const sessionOf = (headers: Headers, sent: string | undefined): string | undefined =>
  nameIn(headers, 'X-Svc-Thread') ?? (storable(sent?.trim() ?? '', MAX_NAME_LENGTH) || undefined)

/** The project that the client names. @throws ApiError 400 for a header that is empty or too long. */
export const projectOf = (headers: Headers): string | null =>
  nameIn(headers, 'X-Svc-Project') ?? null

const nameIn = (headers: Headers, header: string): string | undefined => {
  const name = headers.get(header)?.trim()
  if (name !== undefined && (name === '' || name.length > MAX_NAME_LENGTH))
    throw proxyError('proxy_name_invalid', header)
  return name
}
