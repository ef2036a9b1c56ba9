import { html } from '../http/page.ts'
import type { Mail } from './mailer.ts'

interface EmailContent {
  to: string
  subject: string
  /** Paragraphs of plain text. */
  paragraphs: string[]
  /** The link that the recipient should open. */
  link?: { label: string; url: string }
  /** Small print, such as the lifetime of the link. */
  footer?: string
}

/** Renders an email as plain text and as HTML with the same content. */
export const renderEmail = ({ to, subject, paragraphs, link, footer }: EmailContent): Mail => ({
  to,
  subject,
  text: `${[...paragraphs, link && `${link.label}:\n${link.url}`, footer].filter(Boolean).join('\n\n')}\n`,
  html: html`<!doctype html>
<html lang="en"><head><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1a1d21;background:#ffffff;overflow-wrap:anywhere">
<div style="max-width:30em">
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
${
  link &&
  html`<p><a href="${link.url}" style="display:inline-block;padding:10px 16px;border-radius:8px;background:#1f5fd0;color:#ffffff;text-decoration:none">${link.label}</a></p>
<p style="font-size:14px;color:#5b6470">${link.url}</p>`
}
${footer && html`<p style="font-size:14px;color:#5b6470">${footer}</p>`}
</div></body></html>`.source,
})
