import {
  createSessionCategory,
  deleteSessionCategory,
  listSessionCategories,
  type SessionCategory,
  updateSessionCategory,
} from '../../shared/contract/categories.ts'
import { changeConfirmed } from '../confirmed.ts'
import { type Context, signedInClient } from '../context.ts'
import { definedFields } from '../defined.ts'
import { usageError } from '../errors.ts'
import { findItem, type Kind } from '../ids.ts'
import { printList } from '../list.ts'
import { oneLine } from '../output.ts'

export const categories: Kind<SessionCategory> = {
  noun: 'Category',
  command: 'svc categories list',
  all: (client) => client.call(listSessionCategories),
  id: ({ id }) => id,
  names: ({ name }) => [name],
}

export const runCategoriesList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await categories.all(signedInClient(context)),
    id: categories.id,
    columns: { COLOR: ({ color }) => color, ICON: ({ icon }) => icon, NAME: ({ name }) => name },
    empty: 'No categories. To create one, run: svc categories create NAME',
  })

interface Look {
  color?: string
  icon?: string
}

export const runCategoriesCreate = async (
  context: Context,
  { name, color, icon }: Look & { name: string },
): Promise<void> => {
  const category = await signedInClient(context).call(createSessionCategory, {
    body: { name, ...definedFields({ color, icon }) },
  })
  if (context.json) context.io.printJson(category)
  else context.io.print(category.id)
}

const findCategory = (context: Context, typed: string): Promise<SessionCategory> =>
  findItem(signedInClient(context), categories, typed)

export const runCategoriesEdit = async (
  context: Context,
  { category: typed, name, color, icon }: Look & { category: string; name?: string },
): Promise<void> => {
  const body = definedFields({ name, color, icon })
  if (Object.keys(body).length === 0)
    throw usageError('There are no changes to make.', 'Add --name, --color or --icon.')
  const { id } = await findCategory(context, typed)
  const changed = await signedInClient(context).call(updateSessionCategory, {
    params: { category_id: id },
    body,
  })
  if (context.json) context.io.printJson(changed)
  context.io.info(`Changed the category ${oneLine(changed.name)}.`)
}

export const runCategoriesDelete = (
  context: Context,
  { category: typed, yes }: { category: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['categories', 'delete', typed],
    find: () => findCategory(context, typed),
    question: ({ name }) => `Delete the category ${oneLine(name)}? Its sessions are kept.`,
    change: ({ id }) =>
      signedInClient(context).call(deleteSessionCategory, { params: { category_id: id } }),
    response: (category) => ({ ...category, deleted: true }),
    done: ({ name }) => `Deleted the category ${oneLine(name)}.`,
  })
