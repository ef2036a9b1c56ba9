import type {
  CreateSessionCategory,
  SessionCategory,
  UpdateSessionCategory,
} from '../../../shared/contract/categories.ts'
import {
  createSessionCategory,
  deleteSessionCategory,
  listSessionCategories,
  updateSessionCategory,
} from '../../../shared/contract/index.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import { checkRowLimit, type RowLimit } from '../../platform/row-limit.ts'
import {
  deleteCategory,
  insertCategory,
  listCategories,
  nextCategoryPosition,
  updateCategory,
} from './category-store.ts'
import { chatSessionError } from './service.ts'
import { removeCategoryFromChatSessions } from './session-store.ts'
import { type ChatCategoryRow, sessionCategories } from './table.ts'

/** The list of categories has no pages. */
const ROW_LIMIT: RowLimit = { table: sessionCategories, max: 200, name: 'categories' }
const DEFAULT_COLOR = '#6b7280'
const DEFAULT_ICON = 'folder'

type CategoryService = ReturnType<typeof createCategoryService>

export const createCategoryService = ({ db }: Database) => ({
  async list(caller: Caller): Promise<SessionCategory[]> {
    return (await listCategories(db, caller.userId)).map(present)
  },

  /** @throws ApiError 409 for too many categories. */
  async create(
    caller: Caller,
    { name, color, icon }: CreateSessionCategory,
  ): Promise<SessionCategory> {
    const { userId } = caller
    const row = await db.transaction(async (tx) => {
      await checkRowLimit(tx, userId, ROW_LIMIT)
      return insertCategory(tx, {
        userId,
        categoryId: Bun.randomUUIDv7(),
        name,
        position: await nextCategoryPosition(tx, userId),
        color: color ?? DEFAULT_COLOR,
        icon: icon ?? DEFAULT_ICON,
      })
    })
    return present(row)
  },

  /** @throws ApiError 404 for a category that does not exist or is another user's. */
  async update(
    caller: Caller,
    categoryId: string,
    { name, color, icon }: UpdateSessionCategory,
  ): Promise<SessionCategory> {
    const row = await updateCategory(db, caller.userId, categoryId, {
      ...(name && { name }),
      ...(color && { color }),
      ...(icon && { icon }),
    })
    if (!row) throw chatSessionError('category_not_found')
    return present(row)
  },

  /** @throws ApiError 404 as `update`. */
  async delete(caller: Caller, categoryId: string): Promise<void> {
    await db.transaction(async (tx) => {
      if (!(await deleteCategory(tx, caller.userId, categoryId)))
        throw chatSessionError('category_not_found')
      await removeCategoryFromChatSessions(tx, caller.userId, categoryId)
    })
  },
})

const present = (category: ChatCategoryRow): SessionCategory => ({
  id: category.categoryId,
  name: category.name,
  position: category.position,
  color: category.color,
  icon: category.icon,
  created_at: category.createdAt.toISOString(),
  updated_at: category.updatedAt.toISOString(),
})

export const categoryRoutes = (mount: Mount, categories: CategoryService): void => {
  mount(listSessionCategories, ({ caller }) => categories.list(caller))
  mount(createSessionCategory, ({ caller, body }) => categories.create(caller, body))
  mount(updateSessionCategory, ({ caller, params, body }) =>
    categories.update(caller, params.category_id, body),
  )
  mount(deleteSessionCategory, async ({ caller, params }) => {
    await categories.delete(caller, params.category_id)
    return undefined
  })
}
