import type { SharedConversation, SharedMessage } from '../../../../shared/contract/shares.ts'
import { dayOf, minuteOf, numberOf } from '../../../platform/http/formats.ts'
import { html, t } from '../../../platform/http/html.ts'
import {
  asPageError,
  type MountPage,
  openConsole,
  type Page,
  type PageError,
} from '../../../platform/http/page.ts'
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
  const count = numberOf(message_count)
  return {
    title,
    isWide: true,
    isUnlisted: true,
    body: html`<h1>${title}</h1>
<p class="quiet">${message_count === 1 ? t`Shared on ${dayOf(created_at)} · ${count} message` : t`Shared on ${dayOf(created_at)} · ${count} messages`}</p>
${cursor > 0 && html`<p><a href="?">${t`From the beginning`}</a></p>`}
${message_count === 0 && html`<p>${t`The conversation had no messages when it was shared.`}</p>`}
${messages.map(renderArticle)}
${next_cursor !== null && html`<p><a href="?after=${next_cursor}">${t`Next messages`}</a></p>`}`,
  }
}

const renderArticle = ({ role, content, files, created_at }: SharedMessage) => html`<article>
<time datetime="${created_at}">${minuteOf(created_at)}</time>
<h2>${role === 'user' ? t`User` : 'svc'}</h2>
${renderMessage(content)}
${files.length > 0 && html`<p class="quiet">${t`Attachments: ${files.join(', ')}`}</p>`}
</article>`

const failedPage = ({ status }: PageError): Page => {
  const title = status === 410 ? t`No longer shared` : t`Conversation not found`
  return {
    title,
    status,
    isUnlisted: true,
    body: html`<h1>${title}</h1>
<p>${
      status === 410
        ? t`The owner no longer shares this conversation.`
        : t`Check that you have copied the whole link.`
    }</p>
${openConsole}`,
  }
}
