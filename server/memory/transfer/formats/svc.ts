import type { Format } from './format.ts'

/** A line of svc's own export, or a body of `POST /api/remember`. */
export const svc: Format = {
  matches: (record) => 'content_text' in record || 'content' in record,
  *read(record) {
    yield 'content_text' in record ? record : { ...record, content_text: record.content }
  },
}
