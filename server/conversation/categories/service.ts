import type {
  CreateSessionCategory,
  SessionCategory,
  UpdateSessionCategory,
} from '../../../shared/schemas/categories.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { ChatSessionService } from '../sessions/service.ts'
import {
  changeCategory,
  deleteCategory,
  insertCategory,
  listCategories,
  nextPosition,
} from './store.ts'
import { type SessionCategoryRow, sessionCategories } from './table.ts'

/** They are listed all at once. */
const CAP: Cap = { table: sessionCategories, most: 200, name: 'categories' }
const DEFAULT_COLOR = '#6b7280'
const DEFAULT_ICON = 'folder'

export type CategoryService = ReturnType<typeof createCategoryService>

export const createCategoryService = (
  { db }: Database,
  sessions: Pick<ChatSessionService, 'uncategorise'>,
) => ({
  async list(caller: Caller): Promise<SessionCategory[]> {
    return (await listCategories(db, caller.userId)).map(present)
  },

  /** @throws ApiError 409 for one too many. */
  async create(caller: Caller, { name, color, icon }: CreateSessionCategory) {
    const { userId } = caller
    const row = await db.transaction(async (tx) => {
      await checkRoom(tx, userId, CAP)
      return insertCategory(tx, {
        userId,
        categoryId: Bun.randomUUIDv7(),
        name,
        position: await nextPosition(tx, userId),
        color: color ?? DEFAULT_COLOR,
        icon: icon ?? DEFAULT_ICON,
      })
    })
    return present(row)
  },

  /** @throws ApiError 404 for a category that is not there or not the caller's. */
  async update(
    caller: Caller,
    categoryId: string,
    { name, color, icon }: UpdateSessionCategory,
  ): Promise<SessionCategory> {
    const row = await changeCategory(db, caller.userId, categoryId, {
      ...(name && { name }),
      ...(color && { color }),
      ...(icon && { icon }),
    })
    if (!row) throw notFound()
    return present(row)
  },

  /** @throws ApiError 404 as `update`. */
  async delete(caller: Caller, categoryId: string): Promise<void> {
    await db.transaction(async (tx) => {
      if (!(await deleteCategory(tx, caller.userId, categoryId))) throw notFound()
      await sessions.uncategorise(tx, caller.userId, categoryId)
    })
  },
})

const notFound = () => new ApiError(404, 'Category not found')

const present = (category: SessionCategoryRow): SessionCategory => ({
  id: category.categoryId,
  name: category.name,
  position: category.position,
  color: category.color,
  icon: category.icon,
  created_at: category.createdAt.toISOString(),
  updated_at: category.updatedAt.toISOString(),
})
