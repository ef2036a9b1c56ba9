import { bundle } from './bundle.ts' with { type: 'macro' }

const { script, style } = bundle()

/** Also where a host sets no policy, the page loads nothing. Hosts may add inline scripts. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The page that shows a recall, in one file. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Recalled memories</title>
<style>${style}</style>
</head>
<body data-tools=""><main id="main"></main><script type="module">${script.replaceAll('</script', '<\\/script')}</script></body>
</html>`
