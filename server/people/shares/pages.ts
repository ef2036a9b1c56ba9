import type { SharedConversation, SharedMessage } from '../../../shared/schemas/shares.ts'
import { asFault, type Fault, html, type MountPage, type Page } from '../../platform/http/page.ts'
import type { ShareService } from './service.ts'
import { readable } from './text.ts'

/** Messages on a page. */
const PAGE_LIMIT = 100

/** The page behind the link of a share. */
export const sharePages = (mountPage: MountPage, shares: ShareService): void => {
  mountPage('GET', '/s/:token', async ({ params, query }) => {
    const cursor = placeIn(query.get('after'))
    try {
      const shared = await shares.show(params.token ?? '', { cursor, limit: PAGE_LIMIT })
      return conversationPage(shared, cursor)
    } catch (error) {
      return failedPage(asFault(error))
    }
  })
}

/** What is no place in a conversation is its beginning. */
const placeIn = (text: string | null): number => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0)

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
${message_count === 0 && html`<p>Nothing had been said when it was shared.</p>`}
${messages.map(said)}
${next_cursor !== null && html`<p class="said"><a href="?after=${next_cursor}">Go on reading</a></p>`}`,
  }
}

const said = ({ role, content, files }: SharedMessage) => html`<article class="said">
<h2>${role === 'user' ? 'Person' : 'svc'}</h2>
${readable(content)}
${files.length > 0 && html`<p class="quiet">With it: ${files.join(', ')}</p>`}
</article>`

const dayOf = (instant: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(instant))

const failedPage = ({ status }: Fault): Page => {
  const title = status === 410 ? 'Not shared any more' : 'There is no such conversation'
  return {
    title,
    status,
    isUnlisted: true,
    body: html`<h1>${title}</h1>
<p>${
      status === 410
        ? 'Whoever shared this conversation has taken it back.'
        : 'Look whether the whole link was copied.'
    }</p>`,
  }
}
