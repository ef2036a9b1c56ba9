#!/usr/bin/env -S bun --no-env-file --config=/dev/null
// Without these options Bun would read the .env and the bunfig.toml of the current folder.
import manifest from '../package.json' with { type: 'json' }

// Fast paths: scripts often ask for the version, assistants wait for hooks, and the server parses no options.
const [first, ...others] = process.argv.slice(2)
if ((first === '--version' || first === '-V') && others.length === 0) console.log(manifest.version)
else if ((first === 'serve' || first === 'start') && others.length === 0)
  await (await import('./commands/serve.ts')).runServe()
else if (first === 'hook' && others.every((word) => !word.startsWith('-'))) {
  const [{ runHook }, { processRuntime }] = await Promise.all([
    import('./commands/hook/hook.ts'),
    import('./process.ts'),
  ])
  // The assistant waits for the end of the process, and shows its errors.
  const end = () => process.exit(0)
  process.on('uncaughtException', end).on('unhandledRejection', end)
  await runHook(processRuntime(), others)
  end()
} else {
  const [{ main }, { processRuntime }] = await Promise.all([
    import('./run.ts'),
    import('./process.ts'),
  ])
  const code = await main(process.argv.slice(2), processRuntime())
  if (code !== 0) process.exitCode = code
}
