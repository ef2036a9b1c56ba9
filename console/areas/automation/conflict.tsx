import { useQueryClient } from '@tanstack/react-query'
import { ApiFailure } from '../../../shared/client.ts'
import {
  type IdentityConflict,
  listAnchors,
  listConflicts,
  resolveConflict,
} from '../../../shared/contract/identity.ts'
import { listProactiveIntents } from '../../../shared/contract/proactive.ts'
import { useAction } from '../../session/query.ts'
import { identity as texts } from '../../texts/automation.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'
import { attributeName } from './attribute.ts'

const MAX_VALUE_LENGTH = 200

/** The contradicting values side by side. The first is the latest, which is used until the choice. */
export const ConflictCard = ({ conflict }: { conflict: IdentityConflict }) => {
  const { anchor_key, values } = conflict
  const attribute = attributeName(anchor_key)
  const queries = useQueryClient()
  const resolve = useAction(resolveConflict, {
    invalidates: [listConflicts, listAnchors, listProactiveIntents],
    onSuccess: (_, { body }) => notify(texts.resolved(attribute, String(body.chosen_value))),
    onError: (error) => {
      // Another tab or device resolved it.
      if (!(error instanceof ApiFailure) || error.status !== 404) return
      notify(texts.gone)
      void queries.invalidateQueries({ queryKey: [listConflicts.name] })
    },
  })
  const choose = (chosen_value: string) => resolve.mutate({ body: { anchor_key, chosen_value } })
  const pending = resolve.isPending ? resolve.variables.body.chosen_value : undefined
  const isFieldError = resolve.error instanceof ApiFailure && resolve.error.status === 422
  return (
    <article className="card stack" aria-label={texts.conflictOf(attribute)}>
      <h3>{texts.conflictOf(attribute)}</h3>
      {resolve.error && !isFieldError && <ErrorNotice error={resolve.error} />}
      <ul className="plain grid">
        {values.map(({ value, memory_id, quote, at }, index) => (
          <li key={memory_id} className="choice-card stack-small">
            <div className="row spread">
              <strong className="user-text">{value}</strong>
              {index === 0 && <span className="badge accent">{texts.current}</span>}
            </div>
            <q className="user-text quiet">{quote}</q>
            <p className="quiet small grow">
              {texts.stated} <Time iso={at} />
            </p>
            <Button
              look="primary"
              isPending={pending === value}
              isDisabled={resolve.isPending && pending !== value}
              onPress={() => choose(value)}
            >
              <span className="truncate">{texts.choose(value)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Form
        onSubmit={(data) => choose(String(data.get('chosen_value')))}
        error={isFieldError ? resolve.error : null}
        fields={['chosen_value']}
      >
        <div className="inline-form">
          <TextField
            name="chosen_value"
            label={texts.other}
            note={texts.otherNote}
            isRequired
            maxLength={MAX_VALUE_LENGTH}
          />
          <Button type="submit" isDisabled={resolve.isPending}>
            {texts.otherAction}
          </Button>
        </div>
      </Form>
    </article>
  )
}
