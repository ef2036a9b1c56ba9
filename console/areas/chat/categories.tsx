import { useState } from 'react'
import {
  createSessionCategory,
  deleteSessionCategory,
  listSessionCategories,
  type SessionCategory,
  updateSessionCategory,
} from '../../../shared/contract/categories.ts'
import { useAction, useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { common } from '../../texts/common.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import { CategoryMark } from './chat-rows.tsx'

const texts = chat.categories
const { name: nameSchema } = createSessionCategory.body.properties

const COLORS = Object.entries(texts.colors).map(([id, label]) => ({ id, label }))
const [FIRST_COLOR = { id: '' }] = COLORS

export const CategoriesDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const categories = useApi(listSessionCategories, {}, { enabled: isOpen })
  const [editing, setEditing] = useState<SessionCategory>()
  const [deleting, setDeleting] = useState<SessionCategory>()
  return (
    <Dialog title={texts.title} isOpen={isOpen} onClose={onClose}>
      <Loaded query={categories} lines={1}>
        {(list) =>
          list.length ? (
            <ul className="list">
              {list.map((category) => (
                <li key={category.id} className="row spread">
                  <span className="row grow">
                    <CategoryMark name="" color={category.color} />
                    <bdi className="truncate grow">{category.name}</bdi>
                  </span>
                  <span>
                    <IconButton
                      icon="edit"
                      isSmall
                      label={texts.renameNamed(category.name)}
                      onPress={() => setEditing(category)}
                    />
                    <IconButton
                      icon="trash"
                      isSmall
                      label={texts.removeNamed(category.name)}
                      onPress={() => setDeleting(category)}
                    />
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="quiet">{texts.empty}</p>
          )
        }
      </Loaded>
      <CategoryForm
        key={editing?.id ?? 'new'}
        category={editing}
        onDone={() => setEditing(undefined)}
      />
      <RemovalDialog
        row={deleteSessionCategory}
        entry={deleting && { name: deleting.name, args: { params: { category_id: deleting.id } } }}
        texts={{
          title: texts.removeTitle,
          note: texts.removeNote,
          action: common.delete,
          done: texts.removed,
        }}
        onClose={() => setDeleting(undefined)}
      />
    </Dialog>
  )
}

interface CategoryFormProps {
  /** Undefined for a new one. */
  category: SessionCategory | undefined
  onDone: () => void
}

const CategoryForm = ({ category, onDone }: CategoryFormProps) => {
  const [name, setName] = useState(category?.name ?? '')
  const [color, setColor] = useState(category?.color ?? FIRST_COLOR.id)
  const done = () => {
    notify(category ? common.saved : texts.created)
    setName('')
    onDone()
  }
  const create = useAction(createSessionCategory, { onSuccess: done })
  const update = useAction(updateSessionCategory, { onSuccess: done })
  const body = { name, color }
  const colors = COLORS.some(({ id }) => id === color)
    ? COLORS
    : [...COLORS, { id: color, label: color }]
  return (
    <Form
      error={create.error ?? update.error}
      fields={['name']}
      onSubmit={() =>
        category
          ? update.mutate({ params: { category_id: category.id }, body })
          : create.mutate({ body })
      }
    >
      <TextField
        name="name"
        label={texts.name}
        value={name}
        onChange={setName}
        isRequired
        autoFocus={category !== undefined}
        maxLength={Number(nameSchema.maxLength)}
      />
      <Select label={texts.color} value={color} onChange={setColor} options={colors} />
      <div className="dialog-actions">
        {category && <Button onPress={onDone}>{texts.back}</Button>}
        <Button type="submit" look="primary" isPending={create.isPending || update.isPending}>
          {category ? common.save : texts.create}
        </Button>
      </div>
    </Form>
  )
}
