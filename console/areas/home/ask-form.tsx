import { recall } from '../../../shared/contract/recall.ts'
import { useAction } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { MemoryLink } from './memory-link.tsx'

const texts = home.ask
const MAX_RESULTS = 3

export const ASK_FIELD = 'ask-query'

/** @param onFound called when a question had an answer. */
export const AskForm = ({ onFound }: { onFound?: () => void }) => {
  const ask = useAction(recall, {
    onSuccess: ({ count }) => {
      if (count > 0) onFound?.()
    },
  })
  const submit = (data: FormData) =>
    ask.mutate({ body: { query: String(data.get('query')), limit: MAX_RESULTS } })
  return (
    <div className="stack-small">
      <Form onSubmit={submit} error={ask.error} fields={['query']}>
        <div className="home-ask">
          <TextField
            id={ASK_FIELD}
            name="query"
            label={texts.label}
            isLabelHidden
            placeholder={texts.placeholder}
            isRequired
          />
          <Button type="submit" look="primary" isPending={ask.isPending}>
            {texts.action}
          </Button>
        </div>
      </Form>
      <section aria-live="polite" aria-label={texts.results}>
        {ask.data?.count === 0 && <p className="quiet">{texts.empty}</p>}
        {ask.data && ask.data.count > 0 && (
          <ul className="list home-list">
            {ask.data.memories.map((memory) => (
              <li key={memory.memory_id}>
                <MemoryLink memory={memory} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
