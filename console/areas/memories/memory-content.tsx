import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type Memory, updateMemory } from '../../../shared/contract/memories.ts'
import { useAction } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { memory as memoryTexts } from '../../texts/memory.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { notify } from '../../ui/toast.tsx'
import { refreshAfterWrite } from './actions.ts'
import { MEMORY_FIELDS, MemoryFields } from './memory-fields.tsx'
import { bodyOf, draftOf, useDraft } from './memory-form.ts'
import { MemoryText } from './memory-text.tsx'

const route = getRouteApi('/memories/$id')

/** The text of a memory, or the form that changes it. */
export const MemoryContent = ({ memory }: { memory: Memory }) => {
  const { edit } = route.useSearch()
  return edit && !memory.superseded_by ? (
    <EditForm memory={memory} />
  ) : (
    <div className="card memory-content">
      <MemoryText text={memory.content_text} />
    </div>
  )
}

const EditForm = ({ memory }: { memory: Memory }) => {
  const navigate = useNavigate()
  const { memory_id } = memory
  const { before, draft, change } = useDraft(`memory ${memory_id}`, draftOf(memory))
  const close = async () => {
    await navigate({ to: '/memories/$id', params: { id: memory_id }, search: {} })
    document.querySelector('h1')?.focus()
  }
  const save = useAction(updateMemory, {
    onSuccess: () => {
      notify(memoryTexts.saved)
      void refreshAfterWrite()
      void close()
    },
  })
  const submit = () => {
    const body = bodyOf(draft, before)
    const isTextChanged = draft.content !== before.content
    save.mutate({
      params: { memory_id },
      body: { ...body, ...(isTextChanged && { content: draft.content }) },
    })
  }
  return (
    <div className="card memory-form">
      <Form onSubmit={submit} error={save.error} fields={MEMORY_FIELDS}>
        <MemoryFields draft={draft} onChange={change} error={save.error} />
        <div className="form-actions">
          <Button type="submit" look="primary" isPending={save.isPending}>
            {common.save}
          </Button>
          <Button onPress={() => void close()}>{common.cancel}</Button>
        </div>
      </Form>
    </div>
  )
}
