import { expect, test } from 'bun:test'
import { join } from 'node:path'

const SOURCE = join(import.meta.dir, '../../console/ui/zone.ts')

/** The zone of a console is that of its device, which a process reads once. */
const inZone = async (zone: string, script: string): Promise<unknown> => {
  const child = Bun.spawn([process.execPath, '-e', script], {
    env: { ...process.env, TZ: zone },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return JSON.parse(await new Response(child.stdout).text())
}

/** The fields of each half hour of two years whose instant is another one than that of Temporal. */
const wrongTimes = (zone: string) => `
  const { isoOf, localOf } = await import(${JSON.stringify(SOURCE)})
  const wrong = []
  let wall = Temporal.PlainDateTime.from('2025-01-01T00:00')
  for (let i = 0; i < 2 * 365 * 48; i++) {
    const local = wall.toString({ smallestUnit: 'minute' })
    const expected = new Date(wall.toZonedDateTime('${zone}').epochMilliseconds)
    if (isoOf(local) !== expected.toISOString()) wrong.push([local, isoOf(local)])
    wall = wall.add({ minutes: 30 })
  }
  console.log(JSON.stringify(wrong))`

test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
  'a field in %s is the instant of Temporal, also where the clocks change',
  async (zone) => {
    expect(await inZone(zone, wrongTimes(zone))).toEqual([])
  },
)

test('a field has years of four digits, and a text that is no time stays', async () => {
  const script = `
    const { isoOf, localOf } = await import(${JSON.stringify(SOURCE)})
    console.log(JSON.stringify([
      localOf(new Date('0999-06-01T00:00Z')), isoOf('0999-06-01T00:00'), isoOf('9999-12-31T23:59'),
      isoOf('12026-01-01T00:00'), isoOf('tomorrow'),
    ]))`
  expect(await inZone('UTC', script)).toEqual([
    ...['0999-06-01T00:00', '0999-06-01T00:00:00.000Z', '9999-12-31T23:59:00.000Z'],
    ...['12026-01-01T00:00', 'tomorrow'],
  ])
})

test('a language of the browser that Intl refuses is left out', async () => {
  const region = join(import.meta.dir, '../../console/texts/tools/region.ts')
  const script = `
    Object.defineProperty(globalThis, 'navigator', { value: { languages: ['not a tag!', 'en', 'de-AT'] } })
    const { locale } = await import(${JSON.stringify(region)})
    console.log(JSON.stringify(locale))`
  expect(await inZone('UTC', script)).toBe('en-AT')
})
