import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  createReflex,
  getReflex,
  type Reflex,
  type ReflexWithSecret,
  updateReflex,
} from '../../../shared/contract/reflexes.ts'
import { useAction, useApi } from '../../session/query.ts'
import { reflexes, editor as texts } from '../../texts/reflexes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { notify } from '../../ui/toast.tsx'
import { draftOf, inputOf, newDraft, type ReflexDraft } from './draft.ts'
import { ReflexForm } from './reflex-form.tsx'
import { SecretDialog } from './secret.tsx'

const route = getRouteApi('/automation/reflexes/$reflexId/edit')

/** Shows the secret of a new webhook, and then the saved reflex. */
const useSaved = (message: (name: string) => string) => {
  const navigate = useNavigate()
  const [saved, setSaved] = useState<ReflexWithSecret>()
  const leave = ({ reflex_id, name }: ReflexWithSecret) => {
    notify(message(name))
    void navigate({
      to: '/automation/reflexes/$reflexId',
      params: { reflexId: reflex_id },
      replace: true,
    })
  }
  return {
    onSuccess: (reflex: ReflexWithSecret) =>
      reflex.webhook_secret === null ? leave(reflex) : setSaved(reflex),
    dialog: (
      <SecretDialog
        secret={saved?.webhook_secret ?? undefined}
        onClose={() => saved && leave(saved)}
      />
    ),
  }
}

export const NewReflexPage = () => {
  const { dialog, onSuccess } = useSaved(texts.created)
  const create = useAction(createReflex, { onSuccess })
  return (
    <Page
      title={texts.create}
      intro={
        <Link to="/automation/reflexes" className="back-link">
          <Icon name="back" />
          {reflexes.back}
        </Link>
      }
    >
      <ReflexForm
        draftKey="new reflex"
        initial={newDraft}
        action={texts.createAction}
        isPending={create.isPending}
        error={create.error}
        onSubmit={(draft) => create.mutate({ body: inputOf(draft) })}
      />
      {dialog}
    </Page>
  )
}

export const EditReflexPage = () => {
  const { reflexId } = route.useParams()
  const query = useApi(getReflex, { params: { reflex_id: reflexId } })
  return (
    <Page
      title={texts.edit(query.data?.name ?? '')}
      intro={
        <Link to="/automation/reflexes/$reflexId" params={{ reflexId }} className="back-link">
          <Icon name="back" />
          {query.data?.name}
        </Link>
      }
    >
      <Loaded query={query}>{(reflex) => <EditForm reflex={reflex} />}</Loaded>
    </Page>
  )
}

const EditForm = ({ reflex }: { reflex: Reflex }) => {
  const { dialog, onSuccess } = useSaved(texts.saved)
  const update = useAction(updateReflex, { onSuccess })
  const submit = (draft: ReflexDraft) =>
    update.mutate({ params: { reflex_id: reflex.reflex_id }, body: inputOf(draft) })
  return (
    <>
      <ReflexForm
        draftKey={`reflex ${reflex.reflex_id}`}
        initial={() => draftOf(reflex)}
        action={reflexes.edit}
        isPending={update.isPending}
        error={update.error}
        onSubmit={submit}
      />
      {dialog}
    </>
  )
}
