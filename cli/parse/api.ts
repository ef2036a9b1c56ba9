import type { Command } from 'commander'
import { defineCommands, type RunWithContext } from './define.ts'
import { examples } from './examples.ts'
import { collectValues } from './values.ts'

export const apiCommand = (program: Command, run: RunWithContext): void => {
  defineCommands(program, run, () => import('../commands/api/api.ts'))(
    'api <endpoint...>',
    'Send a request to any endpoint of the server and print the response',
    (module) => module.runApi,
  )
    .usage('[options] [METHOD] PATH')
    .option(
      '-f, --raw-field <key=value>',
      'add a text to the request; can be repeated',
      collectValues,
    )
    .option(
      '-F, --field <key=value>',
      'add a JSON value, @file or text to the request; can be repeated',
      collectValues,
    )
    .option('-H, --header <line>', 'add a header to the request; can be repeated', collectValues)
    .option('--input <file>', 'send this file as the body; - reads stdin')
    .option('--paginate', 'request all pages of a list')
    .addHelpText('after', `${DETAILS}\n${EXAMPLES}`)
}

const DETAILS = `
METHOD is GET, or POST if there are fields or --input, unless the path has only one.
Fields go to a {placeholder} of the path, to the query, or to the JSON body, as the
endpoint declares them. A key of "tags[]" appends to an array, and "metadata[room]"
sets a field of an object. /api/docs on the server describes all endpoints.`

const EXAMPLES = examples(
  'svc api /api/me',
  'svc api /api/memories -f tag=heating --paginate --jq ".memories[].content_text"',
  'svc api POST /api/remember -f "content=The boiler is new." -F importance=0.8 -f "tags[]=heating"',
  'svc api DELETE /api/memories/{memory_id} -f memory_id=ID',
  'svc api POST /api/memories/import --input memories.ndjson',
  'svc api /api/talk/stream -f "message=The build is green."',
)
