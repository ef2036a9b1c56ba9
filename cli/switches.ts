import type { Context } from './context.ts'
import { oneLine } from './output.ts'

/** The state of an engine or a handler. */
export const formatSwitch = ({ enabled }: { enabled: boolean }) =>
  enabled ? 'enabled' : 'disabled'

/** Reports that an admin has switched an engine or a handler. */
export const reportSwitch = (
  { io, json }: Context,
  item: object,
  name: string,
  enabled: boolean,
): void => {
  if (json) io.printJson({ ...item, enabled })
  io.info(`${enabled ? 'Enabled' : 'Disabled'} ${oneLine(name)}.`)
}
