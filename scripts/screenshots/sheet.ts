import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { sheetPlaces } from './screens.ts'

/** In pixels of the sheet. */
const HEIGHT = 300
const GAP = 12
const COLUMNS = 4
/** Small text stays readable, and a sheet has about 150 KB. */
const QUALITY = 55
const BACKGROUND = { light: '#d4d4d8', dark: '#3f3f46' } as const

interface Tile {
  input: Buffer
  width: number
}

const tile = async (file: string): Promise<Tile> => {
  const { data, info } = await sharp(file)
    .resize({ height: HEIGHT })
    .toBuffer({ resolveWithObject: true })
  return { input: data, width: info.width }
}

/**
 * Writes one picture with every area, wide and narrow beside each other, as `sheet-<theme>.webp`. Areas without
 * both pictures in the directory are left out.
 */
export const writeSheet = async (directory: string, theme: 'light' | 'dark'): Promise<void> => {
  const fileOf = (place: string, look: string) => join(directory, `${place}-${look}.png`)
  const places = sheetPlaces.filter((place) =>
    [theme, `narrow-${theme}`].every((look) => existsSync(fileOf(place, look))),
  )
  const pairs = await Promise.all(
    places.map((place) =>
      Promise.all([tile(fileOf(place, theme)), tile(fileOf(place, `narrow-${theme}`))]),
    ),
  )
  const [first] = pairs
  if (!first) return
  const pairWidth = first[0].width + first[1].width + 2 * GAP
  const rows = Math.ceil(pairs.length / COLUMNS)
  const layers = pairs.flatMap(([wide, narrow], index) => {
    const left = GAP + (index % COLUMNS) * pairWidth
    const top = GAP + Math.floor(index / COLUMNS) * (HEIGHT + GAP)
    return [
      { input: wide.input, left, top },
      { input: narrow.input, left: left + wide.width + GAP / 2, top },
    ]
  })
  await sharp({
    create: {
      width: GAP + COLUMNS * pairWidth,
      height: GAP + rows * (HEIGHT + GAP),
      channels: 3,
      background: BACKGROUND[theme],
    },
  })
    .composite(layers)
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(join(directory, `sheet-${theme}.webp`))
}
