import type { SharedConversation, SharedMessage } from '../../../../shared/contract/shares.ts'
import { dayOf, minuteOf, numberOf } from '../../../platform/http/formats.ts'
import { escapeHtml, type Html, html, rawHtml, t } from '../../../platform/http/html.ts'
import {
  asPageError,
  type MountPage,
  openConsole,
  type Page,
  type PageError,
} from '../../../platform/http/page.ts'
import type { ShareService } from './service.ts'

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

const SAFE_LINK = /^(?:https?:|mailto:)/i

/** Another address, such as `javascript:`, stays text. */
const linkTo = (address: string, text: string): string =>
  SAFE_LINK.test(address)
    ? `<a href="${escapeHtml(address)}" rel="nofollow noreferrer">${text}</a>`
    : text

/**
 * The elements of GitHub Flavored Markdown. Their children are escaped already: all text is.
 * @param nest for elements that contain others of their kind.
 */
const elements = (nest: (source: string) => string): Bun.markdown.RenderCallbacks => ({
  text: escapeHtml,
  paragraph: (children) => `<p>${children}</p>`,
  // The page and the message have the first two levels.
  heading: (children, { level }) =>
    `<h${Math.min(level + 2, 6)}>${children}</h${Math.min(level + 2, 6)}>`,
  blockquote: (children) => nest(`<blockquote>${children}</blockquote>`),
  list: (children, { ordered, start }) =>
    nest(ordered ? `<ol start="${start ?? 1}">${children}</ol>` : `<ul>${children}</ul>`),
  listItem: (children, meta) =>
    nest(`<li>${meta?.checked === undefined ? '' : meta.checked ? '☑ ' : '☐ '}${children}</li>`),
  code: (source) => `<pre tabindex="0"><code>${source.replace(/\n$/, '')}</code></pre>`,
  codespan: (source) => `<code>${source}</code>`,
  hr: () => '<hr>',
  strong: (children) => nest(`<strong>${children}</strong>`),
  emphasis: (children) => nest(`<em>${children}</em>`),
  strikethrough: (children) => nest(`<del>${children}</del>`),
  table: (children) => `<table>${children}</table>`,
  thead: (children) => `<thead>${children}</thead>`,
  tbody: (children) => `<tbody>${children}</tbody>`,
  tr: (children) => `<tr>${children}</tr>`,
  th: (children) => `<th>${children}</th>`,
  td: (children) => `<td>${children}</td>`,
  link: (children, { href }) => linkTo(href, children),
  // The page loads nothing from other hosts.
  image: (description, { src }) => linkTo(src, description || escapeHtml(src)),
})

/** Encloses the number of a nested element. */
const MARK = '\0'

/** Replaces the marks, however deep the elements are nested. */
const joinNested = (source: string, nested: readonly string[]): string => {
  const output: string[] = []
  const open = [{ pieces: source.split(MARK), next: 0 }]
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const piece = inner.pieces[inner.next++]
    if (piece === undefined) open.pop()
    else if (inner.next % 2 === 1) output.push(piece)
    else open.push({ pieces: (nested[Number(piece)] ?? '').split(MARK), next: 0 })
  }
  return output.join('')
}

/**
 * Renders the Markdown of a message. HTML in it is shown as text. Nested elements are joined at the end: if
 * each was copied into the next, a message of thousands of nested quotes would take many seconds.
 */
const renderMessage = (text: string): Html => {
  const nested: string[] = []
  const nest = (source: string): string => `${MARK}${nested.push(source) - 1}${MARK}`
  // As CommonMark requires (2.3), but the parser does not in code.
  const safe = text.replaceAll(MARK, '\ufffd')
  const source = Bun.markdown.render(safe, elements(nest), {
    autolinks: true,
    noHtmlBlocks: true,
    noHtmlSpans: true,
  })
  return rawHtml(joinNested(source, nested))
}
