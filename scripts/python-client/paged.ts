import type { TSchema } from '@sinclair/typebox'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { Paging } from '../../shared/contract/paging.ts'
import { argumentsOf, type Method, parametersOf } from './calls.ts'
import { propertyName, singular, subjectOf } from './nested-names.ts'
import { generic, listed, quoted, sentence, snake, wrapped } from './print.ts'
import { sourceText, type Types } from './types.ts'

/** The call of a page, on one line or with an argument on each line. */
const callOf = (row: Endpoint, passed: readonly string[]): string => {
  const name = `self.${snake(row.name)}`
  const line = `${name}(${passed.join(', ')})`
  return line.length <= 70 ? line : `${name}(\n${passed.map((each) => `    ${each},\n`).join('')})`
}

/** The method that returns the items of all pages. */
export const pagedOf = (row: Endpoint, types: Types, paging: Paging): Method => {
  const all = argumentsOf(row, types)
  const { parameter, items, next, isOldestFirst } = paging
  const body = row.success[1] as TSchema
  const list = items ? body.properties[items] : body
  const subject = subjectOf(row.name)
  const item = types.of(list.items, singular(items ? propertyName(subject, items, list) : subject))
  const own = items ? `page[${quoted(items)}]` : 'page'
  const following: Record<Paging['parameter'], string> = {
    cursor: `page[${quoted(next)}]`,
    page: `page["page"] + 1 if page[${quoted(next)}] else None`,
    before: items
      ? `page[${quoted(next)}]`
      : `page[${isOldestFirst ? 0 : -1}][${quoted(next)}] if page else None`,
  }
  const passed = all.map(({ name, place }) => {
    const value = name === parameter ? 'position' : name
    return place === 'path' ? value : `${name}=${value}`
  })
  const name = `${snake(row.name)}_all`
  const summary = `${sentence(sourceText(row.summary)).replace(/\.$/, '')}: the items of all pages.`
  const text = `It has the arguments of \`${snake(row.name)}\`, and requests a page when it is needed.`
  return {
    name,
    row,
    all,
    parameters: parametersOf(row, all),
    summary,
    returns: generic('Iterator', item),
    body: [
      ...wrapped(summary, '        """', '        ', 97),
      '',
      ...wrapped(`${text}${isOldestFirst ? ' The items are newest first.' : ''}`, '        '),
      '        """',
      ...listed(
        'return _all_items',
        [
          `lambda position: ${callOf(row, passed)}`,
          parameter,
          `lambda page: ${isOldestFirst ? `${own}[::-1]` : own}`,
          `lambda page: ${following[parameter]}`,
        ],
        '',
        2,
      ),
    ],
  }
}
