import { Suspense } from 'react'
import { listConflicts } from '../../../shared/contract/identity.ts'
import type { Me } from '../../../shared/contract/sessions.ts'
import { features } from '../../features.ts'
import { useApi } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { ConflictItem } from './conflict-item.tsx'
import { useHealthItems } from './health-items.tsx'
import { VerifyItem } from './verify-item.tsx'

const MAX_SHOWN = 5

/** The matters that wait for the user, most urgent kinds first. The style hides it while nothing waits. */
export const Attention = ({ me }: { me: Me }) => {
  const conflicts = useApi(listConflicts, {}).data?.conflicts ?? []
  const health = useHealthItems(me.is_admin)
  return (
    <section className="stack-small home-attention" aria-labelledby="attention">
      <h2 id="attention">{home.attention.title}</h2>
      <ul className="list">
        {!me.email_verified && <VerifyItem />}
        <Suspense>
          {features.map(({ name, attention }) => attention && <attention.Items key={name} />)}
        </Suspense>
        {conflicts.slice(0, MAX_SHOWN).map((each) => (
          <ConflictItem key={each.anchor_key} conflict={each} />
        ))}
        {health}
      </ul>
    </section>
  )
}
