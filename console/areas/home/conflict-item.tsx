import { Link } from '@tanstack/react-router'
import type { IdentityConflict } from '../../../shared/contract/identity.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { attributeName } from '../memories/attribute.ts'
import { useResolution } from '../memories/resolution.ts'
import { AttentionItem } from './attention-item.tsx'
import { memoryPath } from './memory-link.tsx'

const texts = home.attention

/** A contradiction: the user chooses a value, and memories with the others are superseded. */
export const ConflictItem = ({ conflict }: { conflict: IdentityConflict }) => {
  const { anchor_key, values } = conflict
  const { choose, pending, isPending } = useResolution(anchor_key)
  return (
    <AttentionItem
      icon="alert"
      title={texts.conflict(attributeName(anchor_key))}
      actions={values.map(({ value }) => (
        <Button
          key={value}
          isSmall
          isDisabled={isPending && pending !== value}
          isPending={pending === value}
          onPress={() => choose(value)}
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
