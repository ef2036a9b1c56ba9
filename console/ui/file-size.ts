import { number } from '../texts/tools/numbers.ts'

const KILOBYTE = 1024

/** A size as people read it: at least 1 KB. */
export const formatSize = (bytes: number): string =>
  bytes < KILOBYTE * KILOBYTE
    ? `${Math.max(1, Math.round(bytes / KILOBYTE))} KB`
    : `${number(bytes / KILOBYTE / KILOBYTE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`
