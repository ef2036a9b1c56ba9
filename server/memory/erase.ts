import { eraseTasks } from './engines/store.ts'
import { eraseGraph } from './graph/store.ts'
import { createOwnerEraser } from './memories/owner-store.ts'

/** Erases all memories of an owner (a user or an organization) and everything that is derived from them. */
export const eraseOwner = createOwnerEraser([eraseTasks, eraseGraph])
