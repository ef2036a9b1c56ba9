import { type ReactNode, useState } from 'react'
import { type Memory, Tag } from '../../../shared/contract/memories.ts'
import { useMutationOnce } from '../../session/action.ts'
import { common } from '../../texts/common.ts'
import { memories } from '../../texts/memories.ts'
import { exporting } from '../../texts/transfer.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import {
  type BulkControl,
  eraseAll,
  forgetAll,
  forgetAllMatching,
  restoreAll,
  tagAll,
} from './actions.ts'
import { exportSelection } from './export.ts'
import { focusList } from './list.tsx'
import type { MemorySearch } from './search.ts'
import type { MemorySelection } from './selection.ts'

const texts = memories.bulk

interface BulkBarProps {
  memories: readonly Memory[]
  selection: MemorySelection
  /** Shown while nothing is selected. */
  summary: string
  isTrash?: boolean
  /** All that match, where not all of them are loaded. */
  matching?: { search: MemorySearch; total: number } | undefined
}

/** @returns the memories that were changed. */
type BulkAction = (chosen: readonly Memory[], control: BulkControl) => Promise<readonly Memory[]>
type Run = (action: BulkAction) => void

/** Above a list: selects all, and acts on what is selected. It stays in view while the list scrolls. */
export const BulkBar = (props: BulkBarProps) => {
  const { memories: shown, selection, summary, isTrash = false, matching } = props
  const [running, setRunning] = useState<{ progress: string; cancel: () => void }>()
  const { size } = selection.selected
  const isAll = size > 0 && size === shown.length
  const chosen = shown.filter(({ memory_id }) => selection.selected.has(memory_id))
  const run: Run = (action) => {
    const abort = new AbortController()
    const onProgress = (done: number) =>
      setRunning({ progress: texts.working(done, chosen.length), cancel: () => abort.abort() })
    onProgress(0)
    void action(chosen, { onProgress, signal: abort.signal })
      .then((done) => {
        // The others can be tried again.
        const changed = new Set(done)
        const rest = chosen.filter((memory) => !changed.has(memory))
        selection.select(rest.map(({ memory_id }) => memory_id))
      })
      .catch(notifyError)
      .finally(() => {
        setRunning(undefined)
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
          {running?.progress ?? (size ? texts.selected(size) : summary)}
        </span>
      </label>
      {running && (
        <Button isSmall onPress={running.cancel}>
          {common.cancel}
        </Button>
      )}
      {size > 0 && !running && (
        <div className="row" role="toolbar" aria-label={texts.selected(size)}>
          {isTrash ? (
            <TrashActions chosen={chosen} run={run} />
          ) : (
            <ListActions chosen={chosen} run={run} />
          )}
          {isAll && matching && <MatchingAction {...matching} onDone={selection.clear} />}
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

interface MatchingActionProps {
  search: MemorySearch
  total: number
  onDone: () => void
}

/** Forgets all that match, also those that are not loaded. */
const MatchingAction = ({ search, total, onDone }: MatchingActionProps) => {
  const [isOpen, setOpen] = useState(false)
  const forget = useMutationOnce({
    mutationFn: () => forgetAllMatching(search, total),
    networkMode: 'always',
    onSuccess: () => {
      setOpen(false)
      onDone()
      focusList()
    },
  })
  return (
    <>
      <Button isSmall look="danger" icon="trash" onPress={() => setOpen(true)}>
        {texts.forgetMatching(total)}
      </Button>
      <ConfirmDialog
        title={texts.forgetMatchingTitle(total)}
        action={texts.forget}
        isOpen={isOpen}
        isPending={forget.isPending}
        error={forget.error}
        onConfirm={() => forget.mutate()}
        onClose={() => {
          setOpen(false)
          forget.reset()
        }}
      >
        {texts.forgetMatchingNote}
      </ConfirmDialog>
    </>
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
          run((each, control) => tagAll(each, tag, control))
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

const MAX_LENGTH = Number(Tag().maxLength)

interface TagDialogProps {
  count: number
  isOpen: boolean
  onClose: () => void
  onTag: (tag: string) => void
}

const TagDialog = ({ count, isOpen, onClose, onTag }: TagDialogProps) => (
  <Dialog title={memories.bulk.tagTitle(count)} isOpen={isOpen} onClose={onClose}>
    <Form onSubmit={(data) => onTag(String(data.get('tag')).trim())}>
      <TextField
        name="tag"
        label={memories.filters.tag}
        isRequired
        maxLength={MAX_LENGTH}
        autoFocus
        validate={(text) => (text && !text.trim() ? memories.filters.tag : null)}
      />
      <DialogActions action={memories.bulk.tag} onCancel={onClose} />
    </Form>
  </Dialog>
)
