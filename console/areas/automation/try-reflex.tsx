import { useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import type { Trigger, TriggerEvent } from '../../../shared/contract/reflex-triggers.ts'
import { type Reflex, type ReflexTest, testReflex } from '../../../shared/contract/reflexes.ts'
import { useAction } from '../../session/query.ts'
import { trial as texts } from '../../texts/reflexes.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { describeCondition } from './describe.ts'
import { parseObject } from './json.ts'

const ROWS = 8

const notJson = () => new ApiFailure(422, [{ loc: ['body', 'event'], msg: texts.invalid }], null)

/** Evaluates the reflex with an event that the user writes, without effects. */
export const TryReflex = ({ reflex }: { reflex: Reflex }) => {
  const [sample] = useState(() => JSON.stringify(sampleEvent(reflex.trigger), null, 2))
  const [jsonError, setJsonError] = useState<Error>()
  const evaluate = useAction(testReflex)
  const submit = (data: FormData) => {
    const event = parseObject(String(data.get('event')))
    evaluate.reset()
    setJsonError(event ? undefined : notJson())
    if (!event) return
    evaluate.mutate({
      params: { reflex_id: reflex.reflex_id },
      // The API checks its fields.
      body: { event: event as TriggerEvent },
    })
  }
  return (
    <details className="card event">
      <summary>{texts.title}</summary>
      <div className="stack-small">
        <Form onSubmit={submit} error={jsonError ?? evaluate.error} fields={['event']}>
          <TextField
            name="event"
            label={texts.event}
            note={texts.note}
            rows={ROWS}
            defaultValue={sample}
          />
          <div className="form-actions">
            <Button type="submit" isPending={evaluate.isPending}>
              {texts.action}
            </Button>
          </div>
        </Form>
        <div role="status">
          {evaluate.data && <Result reflex={reflex} result={evaluate.data} />}
        </div>
      </div>
    </details>
  )
}

const Result = ({ reflex, result }: { reflex: Reflex; result: ReflexTest }) => {
  if (result.fires)
    return (
      <Notice look="good">
        <p>{texts.fires}</p>
        <p className="user-text">{result.preview}</p>
      </Notice>
    )
  const unmet = reflex.conditions.filter((_, i) => result.conditions[i] === false)
  return (
    <Notice look="warn">
      <p>{texts.doesNotFire}</p>
      <ul>
        {!result.triggered && <li>{texts.notTriggered}</li>}
        {unmet.map(({ op, path, value }) => (
          <li key={`${op} ${path} ${JSON.stringify(value)}`}>
            {texts.unmet(describeCondition(op, path, value))}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const now = (): string => new Date().toISOString()

/** An event that matches the trigger, with the fields that the user is likely to change. */
const sampleEvent = (trigger: Trigger): TriggerEvent => {
  const { type } = trigger
  switch (type) {
    case 'signal': {
      const { device_id, signal_type } = trigger
      return { type, device_id, signal_type: signal_type ?? 'number', value: 0, occurred_at: now() }
    }
    case 'schedule':
      return { type, due_at: now(), fired_at: now() }
    case 'memory': {
      const { contains, memory_type, tags } = trigger
      return {
        type,
        content_text: contains ?? '',
        memory_type: memory_type ?? 'episodic',
        importance: 0.5,
        tags: tags ?? [],
      }
    }
    case 'message':
      return { type, source: trigger.source ?? 'chat', content: trigger.contains ?? '' }
  }
}
