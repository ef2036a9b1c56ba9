import { exportMemories } from '../../../shared/contract/transfer.ts'
import { callApi } from '../../session/client.ts'
import { exporting } from '../../texts/transfer.ts'
import { saveFile } from '../../ui/save-file.ts'
import { today } from '../../ui/zone.ts'

const TYPE = 'application/x-ndjson'
/** Lines are written together: one write per line is slow. */
const LINES_PER_PART = 500

interface FileWriter {
  write(text: string): Promise<void>
  close(): Promise<void>
  abort(): Promise<void>
}

/** The File System Access API, which not every browser has. */
interface FilePicker {
  showSaveFilePicker?: (options: {
    suggestedName: string
    types: { description: string; accept: Record<string, string[]> }[]
  }) => Promise<{ createWritable(): Promise<FileWriter> }>
}

/** Collects the parts in memory, and saves them as a download. */
const downloadWriter = (name: string): FileWriter => {
  const parts: string[] = []
  return {
    async write(text) {
      parts.push(text)
    },
    async close() {
      saveFile(name, new Blob(parts, { type: TYPE }))
    },
    abort: () => Promise.resolve(),
  }
}

/** Opens the dialog of the browser; it must be called while a click or key is handled. */
const pickWriter = async (name: string): Promise<FileWriter> => {
  const { showSaveFilePicker } = window as FilePicker
  if (!showSaveFilePicker) return downloadWriter(name)
  const types = [{ description: exporting.fileType, accept: { [TYPE]: ['.ndjson'] } }]
  const file = await showSaveFilePicker.call(window, { suggestedName: name, types })
  return file.createWritable()
}

const fileName = (): string => exporting.fileName(today())

const save = async (
  writer: FileWriter,
  values: Iterable<unknown> | AsyncIterable<unknown>,
  onProgress: (count: number) => void,
): Promise<number> => {
  let count = 0
  let lines: string[] = []
  const flush = async () => {
    if (lines.length) await writer.write(`${lines.join('\n')}\n`)
    lines = []
    onProgress(count)
  }
  try {
    for await (const value of values) {
      lines.push(JSON.stringify(value))
      count++
      if (lines.length >= LINES_PER_PART) await flush()
    }
    await flush()
    await writer.close()
    return count
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/** Saves values as a file with one per line, which the import reads. */
export const exportSelection = (values: readonly unknown[]): Promise<number> =>
  save(downloadWriter(fileName()), values, () => {})

/**
 * Saves all memories while they are received: to a file where the browser offers it, which takes any
 * number of them, and otherwise as a download.
 * @throws an AbortError when the user closes the dialog of the browser.
 */
export const exportAll = async (onProgress: (count: number) => void): Promise<number> => {
  const writer = await pickWriter(fileName())
  return save(writer, await callApi(exportMemories, {}), onProgress)
}
