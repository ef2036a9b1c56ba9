import { useState } from 'react'
import { memories as texts } from '../../texts/memories.ts'
import { exporting } from '../../texts/transfer.ts'
import { Button } from '../../ui/button.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { exportAll } from './export.ts'

const isCancelled = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'

/** Saves all memories as a file. */
export const ExportButton = () => {
  const [count, setCount] = useState<number>()
  const start = async () => {
    setCount(0)
    try {
      notify(exporting.done(await exportAll(setCount)))
    } catch (error) {
      if (!isCancelled(error))
        notifyError(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setCount(undefined)
    }
  }
  return (
    <Button icon="download" isDisabled={count !== undefined} onPress={() => void start()}>
      {count === undefined ? texts.export : exporting.running(count)}
    </Button>
  )
}
