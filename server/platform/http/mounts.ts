import type { MountPage } from './page.ts'
import type { MountRaw } from './raw.ts'
import type { Mount } from './route.ts'

/** How a domain attaches its endpoints and pages. */
export interface Mounts {
  mount: Mount
  mountPage: MountPage
  mountRaw: MountRaw
}
