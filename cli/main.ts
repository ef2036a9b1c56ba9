#!/usr/bin/env bun
import manifest from '../package.json' with { type: 'json' }

// Prompts and scripts ask for the version often, and nothing else is needed to say it.
const [only, ...more] = process.argv.slice(2)
if (only === '--version' && more.length === 0) console.log(manifest.version)
else await (await import('./run.ts')).main(process.argv)
