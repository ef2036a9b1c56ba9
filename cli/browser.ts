import { spawn } from 'node:child_process'

/** Opens a web page in the person's browser. That none opens is no failure: the page is named too. */
export const openBrowser = (page: string): void => {
  const url = URL.canParse(page) ? new URL(page) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return
  const [command = '', ...args] = [...opener(), url.href]
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

const opener = (): string[] => {
  if (process.platform === 'darwin') return ['open']
  // `start` is the shell's, which would run what follows an & in the address.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
