#!/usr/bin/env bun
import manifest from '../package.json' with { type: 'json' }

// A fast path: scripts often ask for the version.
const [first, ...others] = process.argv.slice(2)
if ((first === '--version' || first === '-V') && others.length === 0) console.log(manifest.version)
else await (await import('./run.ts')).main(process.argv)
