import { type Static, Type } from '@sinclair/typebox'

export const ReadUrl = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    trim: true,
    description: 'An http or https URL of the public internet, without credentials in it.',
    examples: ['https://example.com/article'],
  }),
})
export type ReadUrl = Static<typeof ReadUrl>

export const UrlPage = Type.Object({
  url: Type.String({ description: 'Where the page was found, after redirects.' }),
  title: Type.String(),
  text: Type.String({
    description: 'Plain text or Markdown, without links and pictures; at most 200,000 characters.',
  }),
  excerpt: Type.String({ description: 'What the page says of itself, or how its text begins.' }),
  word_count: Type.Integer({ description: 'Words of the text.' }),
  snapshot_hash: Type.String({
    description: 'SHA-256 of the text, in hex: names the copy that is kept of it.',
  }),
})
export type UrlPage = Static<typeof UrlPage>
