import { exportMemories, importMemories } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { TransferService } from './service.ts'

export const transferRoutes = (mount: Mount, transfers: TransferService): void => {
  mount(exportMemories, ({ caller, saveAs }) => {
    saveAs(`svc-memories-${new Date().toISOString().slice(0, 10)}.ndjson`)
    return transfers.export(caller)
  })
  mount(importMemories, async ({ caller, query, file }) =>
    transfers.import(caller, await file(), query.format),
  )
}
