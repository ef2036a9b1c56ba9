import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ActivityEvent } from '../../shared/contract/activity.ts'
import type { ConsoleFeature } from '../feature.ts'
import { features } from '../features.ts'
import { serverNow } from '../session/clock.ts'
import { onActivity } from '../session/live.ts'
import { becomeNotifier, isNotifier, useNotifier } from '../session/notifier.ts'
import { shell } from '../texts/shell.ts'

/** An event that the stream delivers late, such as after a sleep, is on the screen and in the badges. */
const MAX_AGE_MS = 60_000

const { notifications: texts } = shell

/** The events that wait for the person. */
const NOTICES: ConsoleFeature['notices'] = Object.assign(
  { 'session.started': { title: () => texts.signIn, to: '/connect/sessions' } },
  ...features.map(({ notices }) => notices),
)

/** @returns undefined on phones, where only installed applications show notifications. */
const notify = (title: string, tag: string): Notification | undefined => {
  try {
    return new Notification(title, { tag })
  } catch {
    return undefined
  }
}

/** Notifies of events while no tab is in view, where the person has turned it on. */
export const useDesktopNotifications = (): void => {
  const isOn = useNotifier() === 'on'
  const navigate = useNavigate()
  useEffect(() => {
    if (!isOn) return
    const controller = new AbortController()
    becomeNotifier(controller.signal)
    const show = (event: ActivityEvent) => {
      const notice = NOTICES?.[event.kind]
      if (!notice || serverNow() - Date.parse(event.created_at) > MAX_AGE_MS) return
      const notification = notify(notice.title(event), event.id)
      if (!notification) return
      notification.onclick = () => {
        window.focus()
        void navigate({ to: notice.to })
        notification.close()
      }
    }
    const stop = onActivity((events) => {
      if (document.hidden && isNotifier()) for (const event of events) show(event)
    })
    return () => {
      stop()
      controller.abort()
    }
  }, [isOn, navigate])
}
