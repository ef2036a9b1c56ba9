import { identity as texts } from '../../texts/automation.ts'

/** The name of an anchor in words; an unknown key, such as `favourite.colour`, with its parts as words. */
export const attributeName = (key: string): string => {
  const words = key.replaceAll(/[._]/g, ' ')
  return texts.keys[key] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
