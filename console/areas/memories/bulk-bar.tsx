import { type ReactNode, useState } from 'react'
import type { Memory } from '../../../shared/schemas/memories.ts'
import { memories } from '../../texts/memories.ts'
import { exporting } from '../../texts/transfer.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import { eraseAll, forgetAll, restoreAll, tagAll } from './actions.ts'
import { exportSelection } from './export.ts'
import { focusList } from './list.tsx'
import type { Selection } from './selection.ts'
import { TagDialog } from './tag-dialog.tsx'

const texts = memories.bulk

interface BulkBarProps {
  memories: readonly Memory[]
  selection: Selection
  /** Shown while nothing is selected. */
  summary: string
  isTrash?: boolean
}

type Run = (
  action: (chosen: readonly Memory[], onProgress: (done: number) => void) => Promise<unknown>,
) => void

/** Above a list: selects all, and acts on what is selected. It stays in view while the list scrolls. */
export const BulkBar = ({ memories: shown, selection, summary, isTrash = false }: BulkBarProps) => {
  const [progress, setProgress] = useState<string>()
  const { size } = selection.selected
  const isAll = size > 0 && size === shown.length
  const chosen = shown.filter(({ memory_id }) => selection.selected.has(memory_id))
  const run: Run = (action) => {
    const report = (done: number) => setProgress(texts.working(done, chosen.length))
    report(0)
    void action(chosen, report).finally(() => {
      setProgress(undefined)
      selection.clear()
      focusList()
    })
  }
  return (
    <div className="bulk-bar">
      <label className="bulk-all">
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = size > 0 && !isAll
          }}
          aria-label={texts.selectAll}
          onChange={() => (isAll ? selection.clear() : selection.selectAll())}
        />
        <span className={size ? 'bulk-count' : 'quiet'} role="status">
          {progress ?? (size ? texts.selected(size) : summary)}
        </span>
      </label>
      {size > 0 && !progress && (
        <div className="row" role="toolbar" aria-label={texts.selected(size)}>
          {isTrash ? (
            <TrashActions chosen={chosen} run={run} />
          ) : (
            <ListActions chosen={chosen} run={run} />
          )}
          <IconButton
            icon="close"
            isSmall
            label={texts.clear}
            onPress={() => {
              selection.clear()
              focusList()
            }}
          />
        </div>
      )}
    </div>
  )
}

interface ActionsProps {
  chosen: readonly Memory[]
  run: Run
}

const ListActions = ({ chosen, run }: ActionsProps): ReactNode => {
  const [isTagging, setTagging] = useState(false)
  return (
    <>
      <Button isSmall icon="tag" onPress={() => setTagging(true)}>
        {texts.tag}
      </Button>
      <Button
        isSmall
        icon="download"
        onPress={() => void exportSelection(chosen).then((count) => notify(exporting.done(count)))}
      >
        {texts.export}
      </Button>
      <Button isSmall icon="trash" onPress={() => run(forgetAll)}>
        {texts.forget}
      </Button>
      <TagDialog
        count={chosen.length}
        isOpen={isTagging}
        onClose={() => setTagging(false)}
        onTag={(tag) => {
          setTagging(false)
          run((each, onProgress) => tagAll(each, tag, onProgress))
        }}
      />
    </>
  )
}

const TrashActions = ({ chosen, run }: ActionsProps): ReactNode => {
  const [isErasing, setErasing] = useState(false)
  return (
    <>
      <Button isSmall icon="restore" onPress={() => run(restoreAll)}>
        {texts.restore}
      </Button>
      <Button isSmall look="danger" icon="trash" onPress={() => setErasing(true)}>
        {texts.erase}
      </Button>
      <ConfirmDialog
        title={texts.eraseTitle(chosen.length)}
        action={texts.erase}
        isOpen={isErasing}
        isPending={false}
        error={null}
        onConfirm={() => {
          setErasing(false)
          run(eraseAll)
        }}
        onClose={() => setErasing(false)}
      >
        {texts.eraseNote}
      </ConfirmDialog>
    </>
  )
}
