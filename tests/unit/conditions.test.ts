import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { conditionProblems, isMet } from '../../server/features/automation/conditions/conditions.ts'
import { findAt, renderTemplate } from '../../server/features/automation/conditions/template.ts'
import { nextTime, scheduleProblems } from '../../server/features/automation/schedules/times.ts'
import { CONDITION_OPS, type Condition } from '../../shared/contract/reflex-conditions.ts'

const pointerTo = (steps: (string | number)[]) =>
  steps.map((step) => `/${`${step}`.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The paths to all values of a JSON document. */
const pathsIn = (json: unknown, steps: (string | number)[] = []): (string | number)[][] => [
  ...(steps.length ? [steps] : []),
  ...(json && typeof json === 'object'
    ? Object.entries(json).flatMap(([key, value]) =>
        pathsIn(value, [...steps, Array.isArray(json) ? Number(key) : key]),
      )
    : []),
]

const valueAt = (json: unknown, steps: (string | number)[]) =>
  steps.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], json)

describe('findAt', () => {
  test('a JSON pointer (RFC 6901) finds every value in any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        for (const steps of pathsIn(json))
          expect(findAt(json, pointerTo(steps))).toEqual({ value: valueAt(json, steps) })
      }),
    )
  })

  test('a path without a value returns undefined and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ minLength: 1 }), (json, path) => {
        const found = findAt(json, path)
        if (!found) return
        const steps = path.startsWith('/') ? undefined : path.split('.')
        if (steps) expect(found.value).toEqual(valueAt(json, steps))
      }),
    )
    for (const path of ['constructor', '__proto__', 'toString', 'a.length', 'a.-1', 'a.01', 'a.2'])
      expect(findAt({ a: [1, 2] }, path)).toBeUndefined()
    expect(findAt({ a: [1, { b: 2 }] }, 'a.1.b')).toEqual({ value: 2 })
  })
})

describe('conditions', () => {
  const condition = fc.record({
    op: fc.constantFrom(...CONDITION_OPS),
    path: fc.string({ minLength: 1 }),
    value: fc.jsonValue() as fc.Arbitrary<unknown>,
  })

  test('isMet never throws for any event and value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), condition, (event, input) => {
        expect(typeof isMet(event, input)).toBe('boolean')
      }),
    )
  })

  test('a missing value meets only `exists: false`', () => {
    fc.assert(
      fc.property(condition, (rule) => {
        const wantsNothing = rule.op === 'exists' && rule.value === false
        expect(isMet({}, { ...rule, path: 'no.such.place' })).toBe(wantsNothing)
      }),
    )
  })

  test('order operators compare numbers and reject other types', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (a, b) => {
          const compares = (op: Condition['op']) => isMet({ a }, { op, path: 'a', value: b })
          expect([compares('gt'), compares('gte'), compares('lt'), compares('lte')]).toEqual([
            a > b,
            a >= b,
            a < b,
            a <= b,
          ])
        },
      ),
    )
    for (const value of ['5', true, null, [6], { a: 1 }])
      expect(isMet({ a: value }, { op: 'gt', path: 'a', value: 1 })).toBe(false)
  })

  const cases: [Condition['op'], unknown, unknown, boolean][] = [
    ['eq', 1, 1, true],
    ['eq', 1, '1', false],
    ['eq', { a: [1] }, { a: [1] }, true],
    ['ne', 'x', 'y', true],
    ['gt', '2026-05-02', '2026-05-01T23:00:00Z', true],
    ['lt', '2026-05-01T12:00:00+02:00', '2026-05-01T11:00:00Z', true],
    ['gt', 'b', 'a', false],
    ['contains', 'The Door opened', 'door', true],
    ['contains', ['a', 'b'], 'b', true],
    ['contains', ['ab'], 'b', false],
    ['contains', 5, 5, false],
    ['in', 'home', ['home', 'work'], true],
    ['in', 'HOME', ['home'], false],
    ['exists', null, true, true],
    ['exists', 0, undefined, true],
    ['exists', 0, false, false],
  ]
  for (const [op, found, value, holds] of cases)
    test(`${JSON.stringify(found)} ${op} ${JSON.stringify(value)} is ${holds}`, () => {
      expect(isMet({ at: found }, { op, path: 'at', value })).toBe(holds)
    })

  test('an invalid value is reported with its type', () => {
    const wrong: [Condition['op'], unknown, string | undefined][] = [
      ['eq', undefined, 'missing'],
      ['gt', 'warm', 'value_error'],
      ['gt', '2026-05-01', undefined],
      ['in', 'x', 'list_type'],
      ['exists', 1, 'bool_type'],
      ['eq', 'x'.repeat(4_000), 'too_long'],
      ['exists', undefined, undefined],
    ]
    for (const [op, value, type] of wrong)
      expect(conditionProblems([{ op, path: 'x', value }])[0]?.type).toBe(type as string)
  })
})

describe('renderTemplate', () => {
  test('placeholders in values are not replaced', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const filled = renderTemplate('<{{a}}>', { a: text, secret: 'x' })
        expect(filled).toBe(`<${text.slice(0, 2_000)}>`.toWellFormed())
      }),
    )
    expect(renderTemplate('{{a}}', { a: '{{secret}}', secret: 'x' })).toBe('{{secret}}')
    expect(
      renderTemplate('{{ a.b }} {{none}}|{{list}} {{$&}}', { a: { b: 1 }, list: [1, 'x'] }),
    ).toBe('1 |[1,"x"] ')
    expect(renderTemplate('{{a}}', { a: '$&$1' })).toBe('$&$1')
    expect(renderTemplate('<{{a}}>', { a: 'x'.repeat(2_001) })).toBe(`<${'x'.repeat(2_000)}>`)
    expect(renderTemplate('{{a}}'.repeat(11), { a: 'x'.repeat(2_000) })).toHaveLength(20_000)
  })
})

describe('schedules', () => {
  const now = new Date('2026-10-24T22:30:00Z')
  const times = (cron: string, timezone: string, count: number) => {
    const found: string[] = []
    for (let after = now; found.length < count; ) {
      const next = nextTime({ type: 'schedule', cron, timezone }, after)
      if (!next) break
      found.push(next.toISOString())
      after = next
    }
    return found
  }

  test('a schedule keeps its local time when daylight saving time ends', () => {
    expect(times('30 7 * * *', 'Europe/Berlin', 2)).toEqual([
      '2026-10-25T06:30:00.000Z',
      '2026-10-26T06:30:00.000Z',
    ])
    expect(times('30 7 * * *', 'America/New_York', 1)).toEqual(['2026-10-25T11:30:00.000Z'])
  })

  test('a schedule that is invalid or never due is rejected', () => {
    const typeOf = (schedule: object) =>
      scheduleProblems({ type: 'schedule', ...schedule }, now)[0]?.loc
    const at = (field: string) => ['body', 'trigger', field]
    expect(typeOf({})).toEqual(at('at'))
    expect(typeOf({ at: '2026-10-24T22:00:00Z' })).toEqual(at('at'))
    expect(typeOf({ at: '2026-10-24T22:29:30Z' })).toBeUndefined()
    expect(typeOf({ at: '2027-01-01', cron: '* * * * *' })).toEqual(at('cron'))
    for (const cron of [
      '',
      'x',
      '* * * *',
      '* * * * * *',
      '61 * * * *',
      'H * * * *',
      '0 0 31 2 *',
      '@reboot',
    ])
      expect(typeOf({ cron: cron || 'no' })).toEqual(at('cron'))
    expect(typeOf({ cron: '* * * * *', timezone: 'Mars/Olympus' })).toEqual(at('timezone'))
    expect(typeOf({ cron: '@daily', timezone: 'Asia/Tokyo' })).toBeUndefined()
  })
})
