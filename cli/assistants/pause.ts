import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf } from '../../shared/objects.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from '../private-file.ts'

/** `until` is null for a pause without an end. */
export interface Pause {
  until: string | null
}

const pathIn = (configDir: string): string => join(configDir, 'hooks', 'pause.json')

/** The pause of the hooks on this machine; undefined if there is none, or it has ended. */
export const readPause = (configDir: string, now: number): Pause | undefined => {
  const path = pathIn(configDir)
  // Where no folder can be made for the file, there is no pause.
  const text = existsSync(path) ? readPrivateFile(path) : undefined
  if (text === undefined) return undefined
  const until = parseUntil(text)
  return until !== null && Date.parse(until) <= now ? undefined : { until }
}

/** A damaged file counts as a pause without an end. */
const parseUntil = (text: string): string | null => {
  try {
    const { until } = fieldsOf(JSON.parse(text))
    return typeof until === 'string' && !Number.isNaN(Date.parse(until)) ? until : null
  } catch {
    return null
  }
}

export const writePause = (configDir: string, pause: Pause): void => {
  makePrivateDirectory(join(configDir, 'hooks'))
  replacePrivateFile(pathIn(configDir), `${JSON.stringify(pause)}\n`)
}

export const removePause = (configDir: string): void => rmSync(pathIn(configDir), { force: true })
