// Starts the API reference: its colors follow the system, and its filter searches operations.
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyScheme)
applyScheme()

/** The operations whose method, path, summary or first paragraph contain each word, by tag. */
const searchOperations = (taggedOperations, phrase) => {
  const words = phrase.toLowerCase().split(/\s+/)
  const matches = (operation) => {
    const { summary = '', description = '' } = operation.get('operation').toObject()
    const [paragraph] = description.split('\n\n')
    const text = [operation.get('method'), operation.get('path'), summary, paragraph]
    return words.every((word) => text.join(' ').toLowerCase().includes(word))
  }
  return taggedOperations
    .map((tag) => tag.set('operations', tag.get('operations').filter(matches)))
    .filter((tag) => tag.get('operations').size > 0)
}

window.SwaggerUIBundle({
  // Below the path of the server's address.
  url: `${location.pathname.replace(/\/$/, '')}/json`,
  dom_id: '#api',
  deepLinking: true,
  filter: true,
  plugins: [() => ({ fn: { opsFilter: searchOperations } })],
})
