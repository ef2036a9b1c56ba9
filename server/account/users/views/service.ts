import {
  deleteView,
  listViews,
  type SavedView,
  saveView,
  type ViewQuery,
} from '../../../../shared/contract/views.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { checkRowLimit, type RowLimit } from '../../../platform/row-limit.ts'
import {
  deleteSavedView,
  insertView,
  listSavedViews,
  replaceView,
  type SavedViewRow,
} from './store.ts'
import { savedViews } from './table.ts'

const viewError = defineErrors({
  view_not_found: { status: 404, detail: 'No view with this name' },
})

/** The list has no pages. */
const ROW_LIMIT: RowLimit = { table: savedViews, max: 100, name: 'saved views' }

export type ViewService = ReturnType<typeof createViewService>

export const createViewService = ({ db }: Pick<Database, 'db'>) => ({
  list: async ({ userId }: Caller): Promise<SavedView[]> =>
    (await listSavedViews(db, userId)).map(present),

  /** Saves a view, or changes the one with this name. @throws ApiError 409 for too many. */
  async save({ userId }: Caller, name: string, query: ViewQuery): Promise<SavedView> {
    const replaced = await replaceView(db, userId, name, query)
    if (replaced) return present(replaced)
    const added = await db.transaction(async (tx) => {
      await checkRowLimit(tx, userId, ROW_LIMIT)
      return insertView(tx, { userId, name, query })
    })
    return present(added)
  },

  /** @throws ApiError 404 without a view with this name. */
  async delete({ userId }: Caller, name: string): Promise<void> {
    if (!(await deleteSavedView(db, userId, name))) throw viewError('view_not_found')
  },
})

const present = ({ name, query, createdAt }: SavedViewRow): SavedView => ({
  name,
  query,
  created_at: createdAt.toISOString(),
})

export const viewRoutes = (mount: Mount, views: ViewService): void => {
  mount(listViews, async ({ caller }) => ({ views: await views.list(caller) }))
  mount(saveView, ({ caller, params, body }) => views.save(caller, params.name, body.query))
  mount(deleteView, async ({ caller, params }) => {
    await views.delete(caller, params.name)
    return undefined
  })
}
