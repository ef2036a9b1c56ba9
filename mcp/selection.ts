import { tools } from './tools/index.ts'
import type { Tool } from './tools/tool.ts'

/** Names for groups of tools, in the place of names of tools. */
const toolsets: Readonly<Record<string, readonly string[]>> = {
  core: ['recall', 'remember'],
  memory: ['recall', 'remember', 'remember_batch', 'update', 'forget', 'restore', 'list', 'get'],
  all: tools.map(({ name }) => name),
}

/** The tools that a client asks for. */
export interface ToolSelection {
  /** Of tools and toolsets. Default: all. */
  names?: readonly string[] | undefined
  /** Whether tools that write are left out. */
  readOnly?: boolean | undefined
}

/** A selection names an unknown tool, or leaves no tool. */
export class InvalidSelectionError extends Error {
  override name = 'InvalidSelectionError'
}

/** @throws InvalidSelectionError */
export const selectTools = ({ names, readOnly }: ToolSelection): Tool[] => {
  const wanted = (names ?? ['all']).flatMap((name) =>
    Object.hasOwn(toolsets, name) ? (toolsets[name] ?? []) : name,
  )
  const unknown = wanted.find((name) => !tools.some((tool) => tool.name === name))
  if (unknown !== undefined)
    throw new InvalidSelectionError(
      `${JSON.stringify(unknown)} is not a tool; the tools are ${tools.map(({ name }) => name).join(', ')}, and the toolsets ${Object.keys(toolsets).join(', ')}`,
    )
  const selected = tools.filter(
    ({ name, isReadOnly }) => wanted.includes(name) && (isReadOnly || !readOnly),
  )
  if (selected.length === 0)
    throw new InvalidSelectionError(
      `No tool is left, because ${names?.join(' and ')} may write and the server is read-only`,
    )
  return selected
}

/** The names in a text such as `recall, list`. An empty text names none. */
export const parseToolNames = (text: string | null | undefined): string[] | undefined => {
  const names = (text ?? '').split(',').map((name) => name.trim())
  const named = names.filter((name) => name !== '')
  return named.length ? named : undefined
}
