import { basename, relative, resolve } from 'node:path'
import type { CliEnvironment } from '../config.ts'

type Place = Pick<CliEnvironment, 'folder'>

/** The projects of folders. Each folder is looked up once. */
export const createProjects = ({ folder: current }: Place) => {
  const names = new Map<string, string | undefined>()
  const nameOf = (folder: string | undefined): string | undefined => {
    if (folder === undefined) return undefined
    if (!names.has(folder)) names.set(folder, basename(folder) || undefined)
    return names.get(folder)
  }
  return {
    nameOf,
    /** Selects a project by its name, or by a folder that has it. All without one. */
    filter(project: string | undefined) {
      const path = project === undefined ? undefined : resolve(current, project)
      return (folder: string | undefined): boolean =>
        path === undefined ||
        (folder !== undefined && (nameOf(folder) === project || isWithin(folder, path)))
    },
  }
}

const isWithin = (folder: string, path: string): boolean =>
  !/^\.\.|^[\\/]/.test(relative(path, folder))
