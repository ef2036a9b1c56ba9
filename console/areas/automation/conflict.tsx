import type { IdentityConflict } from '../../../shared/contract/identity.ts'
import { TRUST_LEVELS } from '../../../shared/contract/memories.ts'
import { identity as texts } from '../../texts/automation.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Time } from '../../ui/time.tsx'
import { attributeName } from '../memories/attribute.ts'
import { TrustBadge } from '../memories/origin.tsx'
import { useResolution } from '../memories/resolution.ts'

const MAX_VALUE_LENGTH = 200

/** The contradicting values side by side. The latest of the highest trust is used until the choice. */
export const ConflictCard = ({ conflict }: { conflict: IdentityConflict }) => {
  const { anchor_key, values } = conflict
  const places = values.map(({ trust }) => TRUST_LEVELS.indexOf(trust))
  const current = places.indexOf(Math.min(...places))
  const attribute = attributeName(anchor_key)
  const { choose, pending, isPending, fieldError } = useResolution(anchor_key)
  return (
    <article className="card stack" aria-label={texts.conflictOf(attribute)}>
      <h3>{texts.conflictOf(attribute)}</h3>
      <ul className="plain grid">
        {values.map(({ value, memory_id, quote, trust, at }, index) => (
          <li key={memory_id} className="choice-card stack-small">
            <div className="row spread">
              <strong className="user-text">{value}</strong>
              {index === current && <span className="badge accent">{texts.current}</span>}
              <TrustBadge memory={{ source: { trust } }} />
            </div>
            <q className="user-text quiet">{quote}</q>
            <p className="quiet small grow">
              {texts.stated} <Time iso={at} />
            </p>
            <Button
              look="primary"
              isPending={pending === value}
              isDisabled={isPending && pending !== value}
              onPress={() => choose(value)}
            >
              <span className="truncate">{texts.choose(value)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Form
        onSubmit={(data) => choose(String(data.get('chosen_value')))}
        error={fieldError}
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
          <Button type="submit" isDisabled={isPending}>
            {texts.otherAction}
          </Button>
        </div>
      </Form>
    </article>
  )
}
