/** Keeps the drafts of all chats over a sign-in and a reload, and questions that the server has not accepted. */

import { isRunning } from '../../../shared/answer.ts'
import { keepDraft, takeDraft } from '../../session/drafts.ts'
import { type Draft, drafts } from './drafts.ts'
import { turns } from './turns.ts'

const KEY = 'chats'

/** The session may end while a question is sent, when it is no draft any more. */
const unaccepted = (): [string, Draft][] =>
  turns.entries().flatMap(([key, turn]) => {
    if (!turn?.question || turn.messageId !== null || !isRunning(turn)) return []
    const { text, page, files } = turn.question
    const added = files.map((stored) => ({ ...stored, key: stored.id, stored }))
    return [[key, { ...drafts.get(key), text, page, files: added }]]
  })

/** Uploads end with the page. */
const withUploaded = ([key, draft]: [string, Draft]): [string, Draft] => [
  key,
  { ...draft, files: draft.files.filter(({ stored }) => stored) },
]

for (const [key, draft] of takeDraft<[string, Draft][]>(KEY) ?? []) drafts.set(key, draft)
keepDraft(KEY, () => {
  const kept = [...drafts.entries(), ...unaccepted()].map(withUploaded)
  return kept.length ? kept : undefined
})
