import { defineErrors, type ErrorRow } from '../platform/http/error.ts'

const badUrl = (type: string, msg: string): ErrorRow => ({
  status: 422,
  detail: [{ loc: ['body', 'url'], type, msg }],
})

export const conversationError = defineErrors({
  agent_not_found: { status: 404, detail: 'Agent not found' },
  agent_proposal_not_found: { status: 409, detail: 'This agent proposes nothing' },
  category_not_found: { status: 404, detail: 'Category not found' },
  chat_session_not_found: { status: 404, detail: 'Session not found' },
  chat_message_not_found: { status: 404, detail: 'Message not found' },
  chat_message_empty: {
    status: 422,
    detail: [
      {
        loc: ['body', 'message'],
        type: 'string_too_short',
        msg: 'String should have at least 1 character',
      },
    ],
  },
  nothing_to_regenerate: { status: 409, detail: 'This session has no question to answer again' },
  file_not_found: { status: 404, detail: 'File not found' },
  file_empty: { status: 400, detail: 'The file is empty' },
  file_too_large: { status: 413, detail: 'The file is larger than 25 MB' },
  file_type_unsupported: {
    status: 400,
    detail: 'The file must be text, a PDF, a JPEG, PNG, WebP or GIF',
  },
  file_storage_full: {
    status: 413,
    detail: 'Your files would be larger than 1 GB together; delete some first',
  },
  audio_empty: { status: 400, detail: 'The audio is empty' },
  audio_too_large: { status: 413, detail: 'The audio is larger than 25 MB' },
  audio_type_unsupported: { status: 400, detail: 'The file must be audio' },
  transcription_not_configured: {
    status: 503,
    detail: 'No transcription endpoint is configured: set SVC_TRANSCRIBE_URL',
  },
  transcription_failed: (cause: unknown) => ({
    status: 502,
    detail: 'The transcription endpoint failed',
    cause,
  }),
  url_malformed: badUrl('url_parsing', 'Input should be a valid URL'),
  url_scheme_unsupported: badUrl('url_scheme', "URL scheme should be 'http' or 'https'"),
  url_has_credentials: badUrl('value_error', 'URL should carry no user name and password'),
  /** Not 502: a client would retry a URL that is never fetched. */
  url_forbidden: (detail: string, cause: unknown) => ({ status: 400, detail, cause }),
  url_unreadable: (detail: string, cause: unknown) => ({ status: 502, detail, cause }),
})
