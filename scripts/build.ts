/**
 * Builds `svc` as one file that needs nothing else on the machine: `bun scripts/build.ts`, then
 * `dist/svc`. `--outfile PATH` puts it elsewhere, `--target bun-darwin-arm64` builds for another
 * system (see `bun build --compile` for the names of them).
 */
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    outfile: { type: 'string', default: 'dist/svc' },
    target: { type: 'string' },
  },
})

const built = await Bun.build({
  entrypoints: [new URL('../cli/main.ts', import.meta.url).pathname],
  compile: {
    outfile: values.outfile,
    ...(values.target && { target: values.target as Bun.Build.CompileTarget }),
    // A .env or bunfig.toml in the folder that svc is called in is not for svc.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  minify: true,
  splitting: true,
  // It starts in half the time; for another system it might be of no use there.
  ...(!values.target && { bytecode: true, format: 'esm' }),
})
for (const message of built.logs) console.error(message)
if (!built.success) process.exit(1)
console.log(values.outfile)
