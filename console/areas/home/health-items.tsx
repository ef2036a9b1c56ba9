import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { listEngines } from '../../../shared/contract/engines.ts'
import { healthDetail } from '../../../shared/contract/health.ts'
import { healthReportOf } from '../../session/health.ts'
import { useApi } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { AttentionItem } from './attention-item.tsx'

const texts = home.attention

/** Parts of the server that do not work, and for admins the engines that are off with the reason. */
export const useHealthItems = (isAdmin: boolean): ReactNode[] => {
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
