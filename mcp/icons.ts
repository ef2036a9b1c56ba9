import type { Icon } from '@modelcontextprotocol/server'

/** Lines on a grid of 24, drawn for svc, by the name of the tool. Each is one path. */
const PATHS: Readonly<Record<string, string>> = {
  recall: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.3 15.3 20 20',
  remember: 'M6 4h9l3 3v13H6zM12 9v7M8.5 12.5h7',
  remember_batch: 'M8 3h8l3 3v11H8zM5 7v14h10M13.5 8v5M11 10.5h5',
  update: 'M4 20l1-4L15.5 5.5l3 3L8 19zM13.5 7.5l3 3',
  forget: 'M5 7h14M9.5 7V4h5v3M7 7l1 13h8l1-13',
  restore: 'M4 5v5h5M4.6 10A8 8 0 1 1 4 14',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  get: 'M6 4h9l3 3v13H6zM9 10h6M9 13.5h6M9 17h3.5',
  talk: 'M4 5h16v11h-8l-4.5 4v-4H4z',
  status: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16M12 11v5M12 8h.01',
}

/** The mark of svc: the file `console/favicon.svg`, which the server serves. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>svc</title><rect width="32" height="32" rx="8" fill="#2b41b8"/><g stroke="#fff" fill="#fff" stroke-width="2"><path d="M10 11 22 13.5M10 11l5 11.5M22 13.5 15 22.5" fill="none"/><circle cx="10" cy="11" r="3"/><circle cx="22" cy="13.5" r="2.5"/><circle cx="15" cy="22.5" r="2.5"/></g></svg>`

/** White on the color of svc, so that it is legible on a light and on a dark background. */
const svgOf = (path: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#2b41b8"/><path d="${path}" transform="translate(4 4)scale(.667)" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** The icon of a tool as SVG; undefined for a tool without one. */
export const iconSvg = (name: string): string | undefined => {
  const path = Object.hasOwn(PATHS, name) ? PATHS[name] : undefined
  return path && svgOf(path)
}

/**
 * The icon of a tool.
 * @param at the URL below which the server serves icons. Without it, it is a `data:` URI.
 */
export const iconsOf = (name: string, at: string | undefined): Icon[] => {
  const svg = iconSvg(name)
  return svg ? [iconOf(svg, at && `${at}/${name}.svg`)] : []
}

/** The icon of the server. @param url the address of the server; without it, it is a `data:` URI. */
export const serverIcons = (url: string | undefined): Icon[] => [
  iconOf(MARK, url && `${url}/favicon.svg`),
]

const iconOf = (svg: string, url: string | undefined): Icon => ({
  src: url ?? `data:image/svg+xml,${encodeSvg(svg)}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
})

/** Escapes only the characters that end or change a URI, which is shorter than Base64. */
const encodeSvg = (svg: string): string =>
  svg.replaceAll('"', "'").replace(/[%#<>{}]/g, (character) => encodeURIComponent(character))
