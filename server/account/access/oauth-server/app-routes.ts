import { listApps } from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { AppList } from './apps.ts'

export const appRoutes = (mount: Mount, apps: AppList): void => {
  mount(listApps, ({ caller }) => apps.list(caller))
}
