import type { Context } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { effectiveSettings, settingNames } from './effective.ts'

/** Prints the effective settings with their sources. */
export const runConfigList = async (context: Context): Promise<void> => {
  const { io } = context
  const all = effectiveSettings(context)
  if (context.json) return io.printJson(all)
  const rows = settingNames.map((name) =>
    [name, all[name].value ?? '', all[name].from].map(oneLine),
  )
  await io.printTable([['SETTING', 'VALUE', 'SOURCE'], ...rows])
}
