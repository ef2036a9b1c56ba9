import type { Context } from '../../context.ts'

/** Prints where the settings are kept. */
export const path = async (context: Context): Promise<void> => {
  const { io, settings } = context
  if (context.json) io.printJson({ path: settings.path, credentials: context.credentials.path })
  else io.print(settings.path)
}
