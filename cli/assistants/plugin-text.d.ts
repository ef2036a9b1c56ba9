/** The plugin is imported as text, because OpenCode runs it and svc only writes it. */
declare module '*/opencode-plugin.js' {
  const source: string
  export default source
}
