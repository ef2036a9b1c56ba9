import type { Context } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { inForce, names } from './in-force.ts'

/** Says what is in force, and where each value is from. */
export const list = async (context: Context): Promise<void> => {
  const { io } = context
  const all = inForce(context)
  if (context.json) return io.printJson(all)
  const rows = names.map((name) => [name, all[name].value ?? '', all[name].from].map(oneLine))
  io.printTable([['SETTING', 'VALUE', 'FROM'], ...rows])
}
