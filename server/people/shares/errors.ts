import { defineErrors } from '../../platform/http/error.ts'

export const shareError = defineErrors({
  share_not_found: { status: 404, detail: 'Share not found' },
  share_closed: { status: 410, detail: 'This conversation is no longer shared' },
})
