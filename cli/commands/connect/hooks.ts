import type { AssistantName } from '../../assistants/clients.ts'
import {
  type HookSettings,
  hookEntry,
  hookEvents,
  hookSettings,
} from '../../assistants/hook-settings.ts'
import { addProperty, append, change, parse, remove } from '../mcp/jsonc.ts'
import {
  expectContent,
  expectTable,
  isTable,
  SettingsFileError,
  type SettingsTable,
  splitMark,
} from '../mcp/settings-format.ts'

type Path = (string | number)[]

interface OwnHook {
  event: string
  /** The path of the declaration of its command. */
  path: Path
  command: unknown
}

/**
 * Adds or updates the hooks of svc in the settings of an assistant. Comments, order and other hooks are kept.
 * @returns the new text, which is unchanged if they exist already. @throws SettingsFileError
 */
export const mergeHooks = (file: string, name: AssistantName, command: string): string => {
  const [mark, text] = splitMark(file)
  const events = hookEvents(name)
  const surplus = findOwn(text, name).filter(
    ({ event }, i, all) =>
      !events.includes(event) || all.findIndex((each) => each.event === event) !== i,
  )
  let after = surplus.reduceRight(
    (into, hook) => remove(into, groupOf(into, hook)),
    withVersion(text, name),
  )
  for (const event of events) {
    const own = findOwn(after, name).find((each) => each.event === event)
    if (!own) after = append(after, ['hooks', event], hookEntry(name, command))
    else if (own.command !== command) after = change(after, [...own.path, 'command'], command)
  }
  expectOthers(text, after, name)
  if (countHooks(after, name) !== events.length)
    throw new SettingsFileError('the hooks cannot be added')
  return `${mark}${after}`
}

/** Removes the hooks of svc. @returns the new text. @throws SettingsFileError */
export const removeHooks = (file: string, name: AssistantName): string => {
  const [mark, text] = splitMark(file)
  // The last first, so that the paths of the others stay valid.
  const after = findOwn(text, name).reduceRight(
    (into, hook) => remove(into, groupOf(into, hook)),
    text,
  )
  expectOthers(text, after, name)
  return `${mark}${after}`
}

/** The number of events whose hooks run svc. @throws SettingsFileError */
export const countHooks = (file: string, name: AssistantName): number => {
  const events = findOwn(splitMark(file)[1], name).map(({ event }) => event)
  return hookEvents(name).filter((event) => events.includes(event)).length
}

/** The hooks of svc as a complete file. */
export const hooksOf = (name: AssistantName, command: string): object => ({
  hooks: Object.fromEntries(hookEvents(name).map((event) => [event, [hookEntry(name, command)]])),
})

const findOwn = (text: string, name: AssistantName): OwnHook[] => {
  const hooks = expectTable(expectTable(parse(text), 'the content').hooks ?? {}, 'hooks')
  const isGrouped = hookSettings[name].form === 'groups'
  return Object.entries(hooks).flatMap(([event, list]) => {
    if (!Array.isArray(list)) {
      if (hookEvents(name).includes(event)) throw new SettingsFileError(`hooks.${event} is no list`)
      return []
    }
    const commands = list.flatMap((entry: unknown, i): { path: Path; entry: unknown }[] => {
      const path = ['hooks', event, i]
      if (!isGrouped) return [{ path, entry }]
      const inner: unknown = isTable(entry) ? entry.hooks : undefined
      if (!Array.isArray(inner)) return []
      return inner.map((each: unknown, j) => ({ path: [...path, 'hooks', j], entry: each }))
    })
    return commands.flatMap(({ path, entry }) =>
      isTable(entry) && isOwnCommand(entry.command, name)
        ? [{ event, path, command: entry.command }]
        : [],
    )
  })
}

/** Recognizes `svc hook codex`, with a path, variables before it or a launcher in JavaScript. */
const isOwnCommand = (command: unknown, name: AssistantName): boolean => {
  if (typeof command !== 'string') return false
  const [start = '', rest] = command.split(` hook ${name}`)
  return (
    rest !== undefined && /^(?:\s|$)/.test(rest) && /(?:svc(?:\.exe)?|main\.ts)['"]?$/.test(start)
  )
}

/** The group of a hook if it has no other, or the hook. */
const groupOf = (text: string, { path }: OwnHook): Path => {
  const [root, event = '', i = 0, ...inner] = path
  if (!inner.length) return path
  const content = parse(text) as { hooks: Record<string, { hooks: unknown[] }[]> }
  return content.hooks[event]?.[Number(i)]?.hooks.length === 1 ? [root ?? '', event, i] : path
}

/** Some assistants need the version of the format. */
const withVersion = (text: string, name: AssistantName): string => {
  const { version }: HookSettings = hookSettings[name]
  if (version === undefined || 'version' in expectTable(parse(text), 'the content')) return text
  return addProperty(text, 'version', version)
}

/** Everything except the hooks of svc is as before. */
const expectOthers = (before: string, after: string, name: AssistantName): void =>
  expectContent(othersOf(after, name), othersOf(before, name))

const othersOf = (text: string, name: AssistantName): SettingsTable => {
  const isOwn = (entry: unknown) => isTable(entry) && isOwnCommand(entry.command, name)
  const { hooks, version: _version, ...content } = expectTable(parse(text), 'the content')
  const lists = Object.entries(expectTable(hooks ?? {}, 'hooks')).map(([event, list]) => {
    if (!Array.isArray(list)) return [event, list]
    const others = list.flatMap((entry: unknown) => {
      if (isOwn(entry)) return []
      if (!isTable(entry) || !Array.isArray(entry.hooks)) return [entry]
      const inner = entry.hooks.filter((each: unknown) => !isOwn(each))
      return inner.length || !entry.hooks.length ? [{ ...entry, hooks: inner }] : []
    })
    return [event, others]
  })
  const found = lists.filter(([, list]) => !Array.isArray(list) || list.length)
  return { ...content, hooks: Object.fromEntries(found) }
}
