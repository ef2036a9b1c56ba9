import type { Command } from 'commander'
import { type Context, createContext } from '../../context.ts'
import { openCredentials } from '../../credentials.ts'
import { idLists } from '../../id-lists.ts'
import { type IdList, shortenIds } from '../../ids.ts'
import { oneLine } from '../../output.ts'
import type { Invocation } from '../../parse/define.ts'
import { openProfilesFile } from '../../settings.ts'
import { truncateToWidth } from '../../table.ts'
import { candidatesFor, type ShellCompletion, type ValueRequest } from './candidates.ts'

const MAX_ABOUT_WIDTH = 60

/** Prints the candidates for the shell: one word and its description per line. */
export const runComplete = async (
  invocation: Invocation,
  program: Command,
  words: string[],
): Promise<void> => {
  const { words: found, files } = await candidatesFor(program, words, (request) =>
    completeValue(invocation, request),
  )
  const lines = found.map(
    ({ word, about }) => `${word}\t${truncateToWidth(oneLine(about), MAX_ABOUT_WIDTH)}`,
  )
  if (files) lines.push(':files')
  if (lines.length) invocation.io.print(lines.join('\n'))
}

/** A shell blocks while it waits for completions. */
const TIMEOUT_MS = 2_000

/** The values of an option or argument. Errors are ignored during completion. */
const completeValue = async (
  { io, environment }: Invocation,
  request: ValueRequest,
): Promise<ShellCompletion[]> => {
  try {
    if (request.name === 'profile') return profileNames(environment.configDir)
    if (request.name === 'endpoint') {
      const { completeEndpoint } = await import('./endpoints.ts')
      return completeEndpoint(request.positionals, request.typed)
    }
    const openList = idListOf(request)
    if (!openList) return []
    const context = createContext(request.options, environment, io)
    const connect: Context['connect'] = (options) =>
      context.connect({ ...options, timeoutMs: TIMEOUT_MS })
    return await completeId(await openList({ ...context, connect }), request)
  } catch {
    return []
  }
}

const idListOf = ({ name, command }: ValueRequest) => {
  const path = command.join(' ')
  const [area = ''] = command
  if (name === 'id') return idLists[path] ?? idLists[area]
  return idLists[`${area} <${name}>`] ?? idLists[`<${name}>`]
}

/** Completes to the shortest unique prefix, or to what is typed if that is longer. */
const completeId = async (list: IdList, { typed }: ValueRequest): Promise<ShellCompletion[]> => {
  const items = await list.find(typed.toLowerCase())
  const short = shortenIds(items.map(({ id }) => id))
  return items.map(({ id, label }) => ({
    word: list.isComplete ? id : id.slice(0, Math.max(short(id).length, typed.length)),
    about: label,
  }))
}

const profileNames = (configDir: string): ShellCompletion[] => {
  const stored = openCredentials(configDir)
    .list()
    .map(([name]) => name)
  const configured = Object.keys(openProfilesFile(configDir).read().profiles)
  return [...new Set([...stored, ...configured])].map((word) => ({ word, about: 'profile' }))
}
