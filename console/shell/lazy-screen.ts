import { lazyRouteComponent } from '@tanstack/react-router'
import { Unreachable } from '../../shared/client.ts'
import { common } from '../texts/common.ts'

/**
 * A screen whose script is loaded when it is first opened. The router would load the whole page again when
 * that fails, which loses what the user has entered.
 * @param name that of the export.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new Unreachable(common.unreachable, { cause })
      }),
    name,
  )
