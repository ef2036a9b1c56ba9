import type { SharedConversation, SharedMessage } from '../../../shared/contract/shares.ts'
import {
  asPageError,
  html,
  type MountPage,
  openConsole,
  type Page,
  type PageError,
} from '../../platform/http/page.ts'
import type { ShareService } from './service.ts'
import { renderMessage } from './text.ts'

/** Messages on a page. */
const PAGE_LIMIT = 100

/** The public page of a share. */
export const sharePages = (mountPage: MountPage, shares: ShareService): void => {
  mountPage('GET', '/s/:token', async ({ params, query }) => {
    const cursor = positionIn(query.get('after'))
    try {
      const shared = await shares.show(params.token ?? '', { cursor, limit: PAGE_LIMIT })
      return conversationPage(shared, cursor)
    } catch (error) {
      return failedPage(asPageError(error))
    }
  })
}

/** Anything but a number is the beginning. */
const positionIn = (text: string | null): number =>
  /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0

const conversationPage = (shared: SharedConversation, cursor: number): Page => {
  const { title, message_count, created_at, messages, next_cursor } = shared
  const count = `${message_count} ${message_count === 1 ? 'message' : 'messages'}`
  return {
    title,
    isWide: true,
    isUnlisted: true,
    body: html`<h1>${title}</h1>
<p class="quiet">Shared on ${dayOf(created_at)} · ${count}</p>
${cursor > 0 && html`<p><a href="?">From the beginning</a></p>`}
${message_count === 0 && html`<p>The conversation had no messages when it was shared.</p>`}
${messages.map(renderArticle)}
${next_cursor !== null && html`<p><a href="?after=${next_cursor}">Next messages</a></p>`}`,
  }
}

const renderArticle = ({ role, content, files, created_at }: SharedMessage) => html`<article>
<time datetime="${created_at}">${timeOf(created_at)}</time>
<h2>${role === 'user' ? 'User' : 'svc'}</h2>
${renderMessage(content)}
${files.length > 0 && html`<p class="quiet">Attachments: ${files.join(', ')}</p>`}
</article>`

const dayOf = (instant: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant))

const timeOf = (instant: string): string => `${instant.slice(0, 16).replace('T', ' ')} UTC`

const failedPage = ({ status }: PageError): Page => {
  const title = status === 410 ? 'No longer shared' : 'Conversation not found'
  return {
    title,
    status,
    isUnlisted: true,
    body: html`<h1>${title}</h1>
<p>${
      status === 410
        ? 'The owner no longer shares this conversation.'
        : 'Check that you have copied the whole link.'
    }</p>
${openConsole}`,
  }
}
