import { relative, resolve } from 'node:path'
import { createNever, memoryMode, projectName } from '../assistants/project.ts'
import type { CliEnvironment } from '../config.ts'

type Place = Pick<CliEnvironment, 'folder' | 'home'>

/** The projects of folders. Each folder is looked up once. */
export const createProjects = ({ folder: current, home }: Place) => {
  const names = new Map<string, string | undefined>()
  const nameOf = (folder: string | undefined): string | undefined => {
    if (folder === undefined) return undefined
    if (!names.has(folder)) names.set(folder, projectName(folder, home))
    return names.get(folder)
  }
  const stored = new Map<string, boolean>()
  /** Whether the project allows to store its conversations. */
  const isStored = (folder: string): boolean => {
    const known = stored.get(folder) ?? memoryMode(folder) === 'on'
    stored.set(folder, known)
    return known
  }
  const never = new Map<string, (text: string) => boolean>()
  return {
    nameOf,
    /** Whether the project of a folder never stores a text. */
    isNever(folder: string | undefined, text: string): boolean {
      if (folder === undefined) return false
      const known = never.get(folder) ?? createNever(folder)
      never.set(folder, known)
      return known(text)
    },
    /** Selects a project by its name, or by a folder that has it; without one, all that svc may store. */
    filter(project: string | undefined) {
      const path = project === undefined ? undefined : resolve(current, project)
      return (folder: string | undefined): boolean =>
        (folder === undefined || isStored(folder)) &&
        (path === undefined ||
          (folder !== undefined && (nameOf(folder) === project || isWithin(folder, path))))
    },
  }
}

const isWithin = (folder: string, path: string): boolean =>
  !/^\.\.|^[\\/]/.test(relative(path, folder))
