import * as account from './account.ts'
import * as device from './device.ts'
import type { Endpoint } from './endpoint.ts'
import * as handoff from './handoff.ts'
import * as keys from './keys.ts'
import * as memory from './memory.ts'
import * as profile from './profile.ts'
import * as system from './system.ts'

export * from './account.ts'
export * from './device.ts'
export * from './endpoint.ts'
export * from './handoff.ts'
export * from './keys.ts'
export * from './memory.ts'
export * from './profile.ts'
export * from './system.ts'

/** Every endpoint of the service. */
export const contract = [account, keys, device, handoff, profile, memory, system].flatMap((rows) =>
  Object.values(rows),
) as readonly Endpoint[]
