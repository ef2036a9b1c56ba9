/** The width and height of a stored picture, in pixels. */
export const PICTURE_SIDE = 200

const TYPES = new Set(['image/jpeg', 'image/png', 'image/webp'])

/** Ignores the case and the parameters of a content type. */
export const isPictureType = (declared: string): boolean =>
  TYPES.has(declared.split(';')[0]?.trim().toLowerCase() ?? '')
