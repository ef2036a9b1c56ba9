import { useNavigate } from '@tanstack/react-router'
import type { ChatMessage } from '../../../shared/contract/chat-messages.ts'
import { branchChatSession } from '../../../shared/contract/chat-sessions.ts'
import { getFile } from '../../../shared/contract/files.ts'
import { callApi } from '../../session/client.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { notify, notifyError } from '../../ui/toast.tsx'
import { changeDraft, type DraftFile, drafts } from './drafts.ts'

const texts = chat.message

/** A file that was deleted since is left out. */
const filesOf = async ({ file_ids }: ChatMessage): Promise<DraftFile[]> => {
  const found = await Promise.allSettled(
    file_ids.map((file_id) => callApi(getFile, { params: { file_id } })),
  )
  return found.flatMap((file) =>
    file.status === 'fulfilled' ? [{ ...file.value, key: file.value.id, stored: file.value }] : [],
  )
}

/** Goes on with a chat from an earlier message, in a copy: nothing of the chat is lost. */
export const useBranch = (sessionId: string) => {
  const navigate = useNavigate()
  const branch = useAction(branchChatSession, { onError: notifyError })
  const open = (id: string) =>
    void navigate({ to: '/chat/$sessionId', params: { sessionId: id }, search: true })

  const start = async (body: { message_id: string; is_included: boolean }, draft = {}) => {
    const { id } = await branch.mutateAsync({ params: { session_id: sessionId }, body })
    const { depth, tools, provider } = drafts.get(sessionId)
    changeDraft(id, { depth, tools, provider, ...draft })
    open(id)
    notify(texts.branched, { label: texts.backToFirst, run: () => open(sessionId) })
    return id
  }
  return {
    /** Copies the messages up to one. */
    after: ({ id }: ChatMessage) => {
      void start({ message_id: id, is_included: true }).catch(() => {})
    },
    /** Copies the messages before one, which becomes the draft. */
    edit: (message: ChatMessage) => {
      void start({ message_id: message.id, is_included: false }, { text: message.content })
        .then(async (id) => changeDraft(id, { files: await filesOf(message) }))
        // The action has reported it.
        .catch(() => {})
    },
  }
}
