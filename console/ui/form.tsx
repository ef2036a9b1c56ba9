import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { ApiFailure } from '../../shared/client.ts'
import type { FieldError } from '../../shared/errors.ts'
import { fieldErrorsOf } from '../../shared/failure.ts'
import { apiText } from '../texts/api-texts.ts'
import { ErrorNotice } from './notice.tsx'

/**
 * The messages of a 422 by the name of their field. The API reports `loc: ['body', 'name']`, and for a
 * nested field `['body', 'trigger', 'cron']`, whose name in a form is `trigger.cron`.
 */
export const fieldErrors = (
  error: Error | null,
  fields: readonly string[] = [],
): Record<string, string> => {
  if (!(error instanceof ApiFailure)) return {}
  const nameOf = (loc: FieldError['loc']) => {
    const path = loc.slice(1)
    const prefixes = path.map((_, i) => path.slice(0, path.length - i).join('.'))
    return prefixes.find((name) => fields.includes(name)) ?? String(loc[1] ?? loc[0])
  }
  return Object.fromEntries(
    fieldErrorsOf(error.detail).map(({ loc, msg }) => [nameOf(loc), apiText(msg)]),
  )
}

/**
 * The messages of fields that were not edited since. A message that goes only when the field loses the
 * focus would move the submit button away from the pointer that presses it.
 */
const useMessages = (error: Error | null, fields: readonly string[]) => {
  const names = fields.join(' ')
  const all = useMemo(() => fieldErrors(error, names.split(' ')), [error, names])
  const [edited, setEdited] = useState<readonly string[]>([])
  const [shown, setShown] = useState(error)
  if (shown !== error) {
    setShown(error)
    setEdited([])
  }
  const messages = useMemo(
    () => Object.fromEntries(Object.entries(all).filter(([name]) => !edited.includes(name))),
    [all, edited],
  )
  const onInput = ({ target }: FormEvent) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
    const { name } = target
    if (name in messages) setEdited((before) => [...before, name])
  }
  return { all, messages, onInput }
}

interface FormProps {
  onSubmit: (data: FormData) => void
  /** The error of the last submit. Messages for a field in `fields` are shown at the field. */
  error?: Error | null
  /** Names of the fields. */
  fields?: readonly string[]
  children: ReactNode
}

/** A form that shows what the API reports: at the field where it names one, otherwise above. */
export const Form = ({ onSubmit, error = null, fields = [], children }: FormProps) => {
  const { all, messages, onInput } = useMessages(error, fields)
  const isShownAtFields =
    Object.keys(all).length > 0 && Object.keys(all).every((name) => fields.includes(name))
  return (
    <AriaForm
      className="form"
      validationErrors={messages}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        // A key submits a form whose button is pending: the same request would be sent twice.
        if (event.currentTarget.querySelector('[data-pending]')) return
        onSubmit(new FormData(event.currentTarget))
      }}
    >
      {error && !isShownAtFields && <ErrorNotice error={error} />}
      <div className="form-fields" onInput={onInput}>
        {children}
      </div>
    </AriaForm>
  )
}
