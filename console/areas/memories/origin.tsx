import type { Memory } from '../../../shared/contract/memories.ts'
import { assistantName, captureOf } from '../../../shared/origin.ts'
import { memories } from '../../texts/memories.ts'
import { memory as texts } from '../../texts/memory.ts'

/** Whose word a memory is. In an organization, several users write. */
export const trustOf = ({ source: { trust }, org_id }: Memory): string =>
  texts.trust[trust === 'user' && org_id !== null ? 'member' : trust]

/** The assistant that a memory was captured from, and how. */
export const captureText = (source: Pick<Memory['source'], 'kind' | 'ref'>): string | undefined => {
  const capture = captureOf(source)
  return capture && texts.captured[capture.channel](assistantName(capture.client))
}

/** Marks a memory, or what was derived from one, that is not the user's own word. */
export const TrustBadge = ({
  memory: { source },
}: {
  memory: { source: Pick<Memory['source'], 'trust'> }
}) =>
  source.trust !== 'user' && (
    <span className={`badge memory-trust${source.trust === 'external' ? ' warn' : ''}`}>
      {memories.trust[source.trust]}
    </span>
  )

/** Whose word a memory is, and the assistant that it was captured from. */
export const Origin = ({ memory }: { memory: Memory }) => {
  const captured = captureText(memory.source)
  return (
    <p className="quiet small">
      {trustOf(memory)}
      {captured && (
        <>
          {' · '}
          <bdi>{captured}</bdi>
        </>
      )}
    </p>
  )
}
