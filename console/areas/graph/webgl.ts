/** Whether the browser can draw with WebGL, which Sigma needs. */
export const hasWebGl = (): boolean => {
  const context = document.createElement('canvas').getContext('webgl2')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}
