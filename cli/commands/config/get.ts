import type { Context } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { inForce, readName } from './in-force.ts'

/** Prints one setting that is in force; nothing where there is no value. */
export const get = async (context: Context, { name }: { name: string }): Promise<void> => {
  const { io } = context
  const { value, from } = inForce(context)[readName(name)]
  if (context.json) io.printJson({ name, value, from })
  else if (value !== null) io.print(oneLine(value))
}
