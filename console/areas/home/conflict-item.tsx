import { Link } from '@tanstack/react-router'
import {
  type IdentityConflict,
  listConflicts,
  resolveConflict,
} from '../../../shared/contract/identity.ts'
import { listProactiveIntents } from '../../../shared/contract/proactive.ts'
import { useAction } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { notify } from '../../ui/toast.tsx'
import { AttentionItem } from './attention-item.tsx'
import { memoryPath } from './memory-link.tsx'

const texts = home.attention

/** A contradiction: the user chooses a value, and memories with the others are superseded. */
export const ConflictItem = ({ conflict }: { conflict: IdentityConflict }) => {
  const resolve = useAction(resolveConflict, {
    invalidates: [listConflicts, listProactiveIntents],
    onSuccess: (_, { body }) => notify(texts.resolved(String(body.chosen_value))),
  })
  const { anchor_key, values } = conflict
  return (
    <AttentionItem
      icon="alert"
      title={texts.conflict(anchor_key.replaceAll('.', ' ').replaceAll('_', ' '))}
      error={resolve.error}
      actions={values.map(({ value }) => (
        <Button
          key={value}
          isSmall
          isDisabled={resolve.isPending && resolve.variables.body.chosen_value !== value}
          isPending={resolve.isPending && resolve.variables.body.chosen_value === value}
          onPress={() => resolve.mutate({ body: { anchor_key, chosen_value: value } })}
        >
          <span className="truncate home-value">{texts.keep(value)}</span>
        </Button>
      ))}
    >
      <ul className="plain small">
        {values.map(({ value, memory_id, quote }) => (
          <li key={value}>
            <Link className="user-text" dir="auto" to={memoryPath(memory_id)}>
              {quote}
            </Link>
          </li>
        ))}
      </ul>
    </AttentionItem>
  )
}
