import { useEffect, useState } from 'react'

/** A computed color has the value of the current mode, unlike a computed custom property. */
const readColors = (tokens: readonly string[]): readonly string[] => {
  const probe = document.body.appendChild(document.createElement('span'))
  const colors = tokens.map((token) => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  })
  probe.remove()
  return colors
}

/**
 * Tokens of `styles/tokens.css` as a canvas needs them: `rgb(…)`. They are read again when the
 * user or the system changes the theme.
 * @param tokens a constant, such as `['--ink']`.
 */
export const useTokenColors = (tokens: readonly string[]): readonly string[] => {
  const [colors, setColors] = useState(() => readColors(tokens))
  useEffect(() => {
    const update = () => setColors(readColors(tokens))
    const system = matchMedia('(prefers-color-scheme: dark)')
    const choice = new MutationObserver(update)
    system.addEventListener('change', update)
    choice.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      system.removeEventListener('change', update)
      choice.disconnect()
    }
  }, [tokens])
  return colors
}
