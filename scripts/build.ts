/**
 * Builds `dist/svc`, the command line as one executable: `bun scripts/build.ts`. `--outfile PATH` sets another
 * path; `--target bun-darwin-arm64` builds for another system (targets of `bun build --compile`). `svc serve`
 * also needs the other files of a release, which `release.ts` builds.
 */
import { parseArgs } from 'node:util'
import { buildExecutable } from './executable.ts'

const { values } = parseArgs({
  options: {
    outfile: { type: 'string', default: 'dist/svc' },
    target: { type: 'string' },
  },
})

await buildExecutable({ ...values, bytecode: !values.target })
console.log(values.outfile)
