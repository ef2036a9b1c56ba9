import { join } from 'node:path'

interface ExecutableOptions {
  outfile: string
  /** Another system, as `bun build --target` names it. */
  target?: string | undefined
  /** Bun for that system. Default: Bun downloads it. */
  bun?: string | undefined
  /** Halves the startup time of commands, for 20 MB. It is not portable to other systems. */
  bytecode: boolean
}

/** Bun writes the directory of each CommonJS module into the output, which names the machine that built it. */
export const WITHOUT_PATHS = { __dirname: '"/"' }

/** Builds `svc` with all its code as an executable. @throws AggregateError with the messages of the bundler. */
export const buildExecutable = async ({ outfile, target, bun, bytecode }: ExecutableOptions) => {
  await Bun.build({
    entrypoints: [join(import.meta.dir, '../cli/main.ts')],
    compile: {
      outfile,
      ...(target && { target: target as Bun.Build.CompileTarget }),
      ...(bun && { executablePath: bun }),
      // svc must ignore a .env or bunfig.toml in the current folder.
      autoloadDotenv: false,
      autoloadBunfig: false,
      // The server loads packages of `lib/node_modules`, which have one each.
      autoloadPackageJson: true,
    },
    minify: true,
    define: WITHOUT_PATHS,
    splitting: true,
    ...(bytecode && { bytecode, format: 'esm' as const }),
  })
}
