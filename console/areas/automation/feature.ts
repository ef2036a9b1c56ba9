import { lazy } from 'react'
import { listConfirmations } from '../../../shared/contract/confirmations.ts'
import { memoryFacts } from '../../../shared/contract/facts.ts'
import { listConflicts } from '../../../shared/contract/identity.ts'
import { listProactiveIntents } from '../../../shared/contract/proactive.ts'
import { getReflex, listFirings, listReflexes } from '../../../shared/contract/reflexes.ts'
import type { ConsoleFeature } from '../../feature.ts'
import { useMe } from '../../session/me.ts'
import { prefetch, useApi } from '../../session/query.ts'
import { palette } from '../../texts/palette.ts'
import { shell } from '../../texts/shell.ts'
import { CONFIRMATIONS } from './requests.ts'

const loadAttention = () => import('./attention.tsx')

export const automation: ConsoleFeature = {
  name: 'automation',
  areas: [{ to: '/automation', label: shell.areas.automation, icon: 'automation', key: 't' }],
  screens: [
    { to: '/automation/reflexes', label: palette.reflexes, icon: 'automation' },
    { to: '/automation/devices', label: palette.devices, icon: 'automation' },
    { to: '/automation/confirmations', label: palette.confirmations, icon: 'check' },
    { to: '/automation/inbox', label: palette.inbox, icon: 'bell' },
    { to: '/automation/identity', label: palette.identity, icon: 'user' },
  ],
  adminScreens: ['handlers'],
  followed: [
    ['memory.', listProactiveIntents],
    ['fact.', listProactiveIntents],
    ['reminder.', memoryFacts, listProactiveIntents],
    ['reflex.', listReflexes, getReflex, listFirings, listConfirmations, listProactiveIntents],
    ['confirmation.', listConfirmations],
  ],
  notices: {
    'confirmation.waiting': {
      title: ({ subject }) => shell.notifications.confirmation(subject ?? ''),
      to: '/automation/confirmations',
    },
  },
  waiting: {
    to: '/automation',
    /** Actions of reflexes to confirm, and contradictions to settle. */
    useNumber() {
      const enabled = useMe()?.email_verified === true
      const confirmations = useApi(listConfirmations, {}, { enabled }).data ?? []
      const conflicts = useApi(listConflicts, {}, { enabled }).data?.conflicts ?? []
      return confirmations.length + conflicts.length
    },
    text: shell.decisions,
    request() {
      prefetch(listConfirmations, {})
      prefetch(listConflicts, {})
    },
  },
  attention: {
    Items: lazy(async () => ({ default: (await loadAttention()).AutomationAttention })),
    request() {
      // The screen shows the failure.
      loadAttention().catch(() => {})
      prefetch(listConfirmations, CONFIRMATIONS)
      prefetch(listProactiveIntents, {})
    },
  },
}
