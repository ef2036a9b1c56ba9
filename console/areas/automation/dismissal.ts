import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../../shared/client.ts'
import type { Send } from '../../../shared/client-session.ts'
import { giveFeedback, listProactiveIntents } from '../../../shared/contract/proactive.ts'
import { createWorkspaceClient } from '../../session/client.ts'
import { inbox as texts } from '../../texts/automation.ts'
import { common } from '../../texts/common.ts'
import { notify, notifyError } from '../../ui/toast.tsx'

/** The browser completes these requests after the tab was closed. */
const sendBeyondClose: Send = (url, init) => fetch(url, { ...init, keepalive: true })

/**
 * Hides topics at once. The API cannot undo a dismissal, so it is sent when the toast with the undo is
 * gone, or when the user leaves the page.
 */
export const useDismissal = () => {
  const queries = useQueryClient()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  /** Closes the toast of each topic that is not dismissed yet. */
  const waiting = useRef(new Map<string, () => void>())

  const show = (id: string) => setHidden((ids) => new Set([...ids].filter((each) => each !== id)))
  const undo = (id: string) => {
    waiting.current.delete(id)
    show(id)
  }
  const send = async (id: string, client: Client) => {
    if (!waiting.current.delete(id)) return
    try {
      await client.call(giveFeedback, { body: { intent_id: id, feedback: 'dismiss' } })
      await queries.invalidateQueries({ queryKey: [listProactiveIntents.name] })
    } catch (error) {
      show(id)
      if (error instanceof Error) notifyError(error)
    }
  }
  useEffect(() => {
    const pending = waiting.current
    const sendAll = () => {
      for (const close of [...pending.values()]) close()
    }
    addEventListener('pagehide', sendAll)
    return () => {
      removeEventListener('pagehide', sendAll)
      sendAll()
    }
  }, [])

  const dismiss = (id: string) => {
    setHidden((ids) => new Set([...ids, id]))
    const action = { label: common.undo, run: () => undo(id) }
    const client = createWorkspaceClient(sendBeyondClose)
    waiting.current.set(
      id,
      notify(texts.dismissed, action, () => void send(id, client)),
    )
  }
  return { hidden, dismiss }
}
