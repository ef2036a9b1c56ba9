import { expect, test } from 'bun:test'
import { formatValue, parseValue } from '../../console/areas/automation/condition-value.ts'

test('the field of a condition keeps the value of a reflex that is edited', () => {
  const values = [
    30,
    'hot',
    '30',
    '',
    ' padded ',
    'a, b',
    'null',
    '"quoted"',
    true,
    null,
    { a: [1] },
  ]
  for (const value of values) expect(parseValue('eq', formatValue('eq', value))).toEqual(value)
  for (const list of [[], values, [1, 'hot', '30'], [null], [['nested']]])
    expect(parseValue('in', formatValue('in', list))).toEqual(list)
})

test('a text without quotes is a number where it is one, and otherwise a text', () => {
  expect(parseValue('gt', ' 21.5 ')).toBe(21.5)
  expect(parseValue('eq', ' Berlin ')).toBe('Berlin')
  expect(parseValue('in', '1, hot, "2"')).toEqual([1, 'hot', '2'])
  expect(parseValue('exists', 'false')).toBe(false)
})
