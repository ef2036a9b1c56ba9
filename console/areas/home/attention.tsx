import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { listEngines } from '../../../shared/contract/engines.ts'
import { healthDetail } from '../../../shared/contract/health.ts'
import { type IdentityConflict, listConflicts } from '../../../shared/contract/identity.ts'
import type { Me } from '../../../shared/contract/sessions.ts'
import { features } from '../../features.ts'
import { healthReportOf } from '../../session/health.ts'
import { useApi } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { ResendVerification } from '../../ui/resend-verification.tsx'
import { attributeName } from '../memories/attribute.ts'
import { useResolution } from '../memories/resolution.ts'
import { AttentionItem } from './attention-item.tsx'
import { memoryPath } from './memory-link.tsx'

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

const texts = home.attention

/** A contradiction: the user chooses a value, and memories with the others are superseded. */
const ConflictItem = ({ conflict }: { conflict: IdentityConflict }) => {
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

/** Parts of the server that do not work, and for admins the engines that are off with the reason. */
const useHealthItems = (isAdmin: boolean): ReactNode[] => {
  const health = useApi(healthDetail, {})
  const engines = useApi(listEngines, {}, { enabled: isAdmin }).data?.engines ?? []
  const parts = Object.entries((health.data ?? healthReportOf(health.error))?.parts ?? {})
  return [
    ...parts
      .filter(([, { state }]) => state !== 'ok')
      .map(([name, { state, note }]) => (
        <AttentionItem
          key={`part ${name}`}
          icon={state === 'down' ? 'alert' : 'clock'}
          title={state === 'down' ? texts.part(name) : texts.warming(name)}
        >
          {state === 'down' && <p className="quiet small">{note ?? texts.partNote}</p>}
        </AttentionItem>
      )),
    ...engines
      .filter(({ enabled }) => !enabled)
      .map(({ engine, about, reason }) => (
        <AttentionItem
          key={`engine ${engine}`}
          icon="stop"
          title={texts.engineOff(engine)}
          actions={
            <Link className="button small" to="/admin">
              {texts.engines}
            </Link>
          }
        >
          <p className="user-text small" dir="auto">
            {reason ?? texts.noReason}
          </p>
          <p className="quiet small">{about}</p>
        </AttentionItem>
      )),
  ]
}

const VerifyItem = () => (
  <AttentionItem icon="mail" title={home.attention.verify} actions={<ResendVerification />} />
)
