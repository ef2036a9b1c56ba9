import {
  type CaptureSession,
  deleteCapture,
  listCaptures,
  restoreCapture,
} from '../../../shared/contract/capture.ts'
import { callApi } from '../../session/client.ts'
import { queryClient } from '../../session/query-client.ts'
import { captured as texts } from '../../texts/captured.ts'
import { common } from '../../texts/common.ts'
import { notify, notifyError } from '../../ui/toast.tsx'
import { refreshAfterWrite } from './actions.ts'

type Conversation = Pick<CaptureSession, 'client' | 'session'>

const refresh = async (): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [listCaptures.name] }),
    refreshAfterWrite(),
  ])
}

/** @param deleted_since restores only what was deleted at this time or later. */
export const restoreConversation = async (
  { client, session }: Conversation,
  deleted_since?: string,
): Promise<void> => {
  const { restored } = await callApi(restoreCapture, {
    body: { client, session, deleted_since: deleted_since ?? null },
  })
  await refresh()
  notify(texts.restored(restored))
}

/** Deletes the memories of a conversation, with a toast that undoes it. */
export const deleteConversation = async ({ client, session }: Conversation): Promise<void> => {
  const { deleted, deleted_since } = await callApi(deleteCapture, { query: { client, session } })
  await refresh()
  notify(texts.deleted(deleted), {
    label: common.undo,
    run: () => void restoreConversation({ client, session }, deleted_since).catch(notifyError),
  })
}
