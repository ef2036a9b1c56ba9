/**
 * Builds `dist/svc`, a standalone executable: `bun scripts/build.ts`. `--outfile PATH` sets another
 * path; `--target bun-darwin-arm64` builds for another system (targets of `bun build --compile`).
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
    // svc must ignore a .env or bunfig.toml in the current folder.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  minify: true,
  splitting: true,
  // Bytecode halves the startup time. It is not portable to other systems.
  ...(!values.target && { bytecode: true, format: 'esm' }),
})
for (const message of built.logs) console.error(message)
if (!built.success) process.exit(1)
console.log(values.outfile)
