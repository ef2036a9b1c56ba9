import type { Context } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { effectiveSettings, parseSettingName } from './effective.ts'

/** Prints the effective value of a setting, or nothing if it has none. */
export const runConfigGet = async (context: Context, { name }: { name: string }): Promise<void> => {
  const { io } = context
  const { value, from } = effectiveSettings(context)[parseSettingName(name)]
  if (context.json) io.printJson({ name, value, from })
  else if (value !== null) io.print(oneLine(value))
}
