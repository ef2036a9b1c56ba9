import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  deleteView,
  listViews,
  MAX_VIEW_NAME,
  type SavedView,
  saveView,
} from '../../../shared/contract/views.ts'
import { useAction, useApi } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { memories } from '../../texts/memories.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Menu } from '../../ui/menu.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { type MemorySearch, parseMemorySearch } from './search.ts'

const texts = memories.views

/** Order of the properties aside. */
const isSame = (one: MemorySearch, other: MemorySearch): boolean => {
  const sorted = (search: MemorySearch) => JSON.stringify(Object.entries(search).toSorted())
  return sorted(one) === sorted(other)
}

/** The saved views of the list, to open, to save and to delete. */
export const ViewsButton = ({ search }: { search: MemorySearch }) => {
  const navigate = useNavigate()
  const [isSaving, setSaving] = useState(false)
  const views = useApi(listViews, {}).data?.views ?? []
  const remove = useDeletion()
  const shown = views.find(({ query }) => isSame(parseMemorySearch(query), search))
  const isEmpty = Object.keys(search).length === 0
  if (!views.length && isEmpty) return null
  return (
    <>
      <Menu
        label={texts.title}
        trigger={
          <Button icon="pin">
            <bdi className="truncate memory-view">{shown?.name ?? texts.title}</bdi>
          </Button>
        }
        actions={[
          ...views.map(({ name, query }) => ({
            key: `view ${name}`,
            label: name,
            icon: name === shown?.name ? ('check' as const) : ('pin' as const),
            onAction: () => void navigate({ to: '/memories', search: parseMemorySearch(query) }),
          })),
          ...(shown || isEmpty
            ? []
            : [{ label: texts.save, icon: 'plus' as const, onAction: () => setSaving(true) }]),
          ...(shown
            ? [
                {
                  label: texts.remove(shown.name),
                  icon: 'trash' as const,
                  isDanger: true,
                  onAction: () => remove(shown),
                },
              ]
            : []),
        ]}
      />
      <SaveDialog search={search} isOpen={isSaving} onClose={() => setSaving(false)} />
    </>
  )
}

/** Deletes a view, with a toast that undoes it. */
const useDeletion = () => {
  const save = useAction(saveView, { onError: notifyError })
  const remove = useAction(deleteView, { onError: notifyError })
  return ({ name, query }: SavedView) => {
    void remove
      .mutateAsync({ params: { name } })
      .then(() =>
        notify(texts.removed(name), {
          label: common.undo,
          run: () => save.mutate({ params: { name }, body: { query } }),
        }),
      )
      // The action has reported it.
      .catch(() => {})
  }
}

interface SaveDialogProps {
  search: MemorySearch
  isOpen: boolean
  onClose: () => void
}

const SaveDialog = ({ search, isOpen, onClose }: SaveDialogProps) => {
  const save = useAction(saveView, {
    onSuccess: ({ name }) => {
      notify(texts.saved(name))
      onClose()
    },
  })
  return (
    <Dialog title={texts.save} isOpen={isOpen} onClose={onClose}>
      <Form
        error={save.error}
        onSubmit={(data) => {
          const name = String(data.get('name')).trim()
          save.mutate({ params: { name }, body: { query: { ...search } } })
        }}
      >
        <TextField
          name="name"
          label={texts.name}
          note={texts.nameNote}
          isRequired
          maxLength={MAX_VIEW_NAME}
          autoFocus
          validate={(text) => (text && !text.trim() ? texts.name : null)}
        />
        <DialogActions action={common.save} isPending={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
