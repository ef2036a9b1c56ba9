/**
 * Writes the plugins for assistants, in the form that each of them installs, to `dist/plugins`:
 * `bun scripts/assistant-plugins.ts`. They have the MCP server and the hooks, as `svc connect` adds them.
 * `--command PATH` names the command that starts svc, by default `svc`; `--outdir PATH` sets another folder.
 */
import { parseArgs } from 'node:util'
import { writePlugins } from './plugins/write.ts'

const { values } = parseArgs({
  options: {
    outdir: { type: 'string', default: 'dist/plugins' },
    command: { type: 'string', default: 'svc' },
  },
})

for (const path of await writePlugins(values.outdir, values.command)) console.log(path)
