/**
 * Writes `console/styles/typeface.css`: a system font with the proportions of the typeface. It is drawn until the
 * typeface has loaded, so that nothing moves then: `bun scripts/typeface.ts`.
 */
import { join } from 'node:path'
import { createFontStack } from '@capsizecss/core'
import arial from '@capsizecss/metrics/arial'
import geist from '@capsizecss/metrics/geist'

const PATH = join(import.meta.dir, '../console/styles/typeface.css')
/** Arial, and the font of free systems with the same widths. */
const SOURCES = ['Arial', 'ArialMT', 'Liberation Sans', 'Arimo']

export const fallbackStyle = (): string => {
  const { fontFaces } = createFontStack([geist, arial], { fontFaceFormat: 'styleObject' })
  return fontFaces
    .map(
      ({ '@font-face': face }) => `/* Written by scripts/typeface.ts. */
@font-face {
  font-family: ${face.fontFamily};
  src: ${SOURCES.map((name) => `local("${name}")`).join(', ')};
  ascent-override: ${face.ascentOverride};
  descent-override: ${face.descentOverride};
  line-gap-override: ${face.lineGapOverride};
  size-adjust: ${face.sizeAdjust};
}
`,
    )
    .join('')
}

if (import.meta.main) await Bun.write(PATH, fallbackStyle())
