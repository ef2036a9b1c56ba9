import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { remember } from '../../../shared/contract/memories.ts'
import { useAction } from '../../session/query.ts'
import { common } from '../../texts/common.ts'
import { memories } from '../../texts/memories.ts'
import { newMemory as texts } from '../../texts/memory.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { notify } from '../../ui/toast.tsx'
import { refreshAfterWrite } from './actions.ts'
import { MEMORY_FIELDS, MemoryFields } from './memory-fields.tsx'
import { bodyOf, EMPTY_DRAFT, useDraft } from './memory-form.ts'

/** A form for a new memory. */
export const RememberPage = () => {
  const navigate = useNavigate()
  const { draft, change } = useDraft('new memory', EMPTY_DRAFT)
  const form = useRef<HTMLDivElement>(null)
  const staysOpen = useRef(false)
  const save = useAction(remember, {
    onSuccess: ({ memory_id, deduplicated }) => {
      void refreshAfterWrite()
      const show = () => void navigate({ to: '/memories/$id', params: { id: memory_id } })
      const text = deduplicated ? texts.known : texts.saved
      if (!staysOpen.current) {
        notify(text)
        show()
        return
      }
      notify(text, { label: texts.show, run: show })
      change({ content: '' })
      form.current?.querySelector('textarea')?.focus()
    },
  })
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <Link className="button" to="/memories">
          <Icon name="back" />
          {memories.back}
        </Link>
      }
    >
      <div className="card memory-form" ref={form}>
        <Form
          error={save.error}
          fields={MEMORY_FIELDS}
          onSubmit={() =>
            save.mutate({ body: { ...bodyOf(draft, EMPTY_DRAFT), content: draft.content } })
          }
        >
          <MemoryFields draft={draft} onChange={change} error={save.error} />
          <div className="form-actions">
            <Button
              type="submit"
              look="primary"
              isPending={save.isPending}
              onPress={() => {
                staysOpen.current = false
              }}
            >
              {texts.save}
            </Button>
            <Button
              type="submit"
              isDisabled={save.isPending}
              onPress={() => {
                staysOpen.current = true
              }}
            >
              {texts.another}
            </Button>
            <Link className="button quiet" to="/memories">
              {common.cancel}
            </Link>
          </div>
        </Form>
      </div>
    </Page>
  )
}
