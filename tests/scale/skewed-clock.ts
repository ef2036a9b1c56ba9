/** Preloaded: the clock of the process differs by `TEST_CLOCK_SKEW` seconds. */
const skewMs = Number(process.env.TEST_CLOCK_SKEW) * 1000
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...args: [] | [number | string | Date]) {
    if (args.length === 0) super(RealDate.now() + skewMs)
    else super(...args)
  }
  static override now = () => RealDate.now() + skewMs
} as DateConstructor
