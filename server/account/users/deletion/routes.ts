import { deleteAccount } from '../../../../shared/contract/index.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { DeletionService } from '../deletion.ts'

export const deletionRoutes = (mount: Mount, deletion: DeletionService): void => {
  mount(deleteAccount, async ({ caller, body, refreshCookie }) => {
    await deletion.delete(caller, body)
    refreshCookie.clear()
    return { message: 'Your account and all its data are deleted' }
  })
}
