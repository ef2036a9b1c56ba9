import { defineErrors } from '../../platform/http/error.ts'

export const dmError = defineErrors({
  dm_thread_not_found: { status: 404, detail: 'Thread not found' },
  dm_message_not_found: { status: 404, detail: 'Message not found' },
  username_not_found: { status: 404, detail: 'No user has this username' },
  dm_to_self: { status: 400, detail: 'You cannot write to yourself' },
  dm_peer_deleted: { status: 409, detail: 'The other user has deleted their account' },
})
