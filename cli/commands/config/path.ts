import type { Context } from '../../context.ts'

/** Prints the path of the settings file. */
export const runConfigPath = async (context: Context): Promise<void> => {
  const { io, settings } = context
  if (context.json) io.printJson({ path: settings.path, credentials: context.credentials.path })
  else io.print(settings.path)
}
