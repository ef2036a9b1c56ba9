import { useNavigate } from '@tanstack/react-router'
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components'
import { usePaused } from '../../clients/npm/use-paused.ts'
import { MAX_TEXT_LENGTH } from '../../shared/contract/common.ts'
import { palette as texts } from '../texts/palette.ts'
import { Icon } from '../ui/icon.tsx'
import { type Entry, type EntryGroup, useFixedEntries, wordsOf } from './palette-entries.ts'
import { useFinds } from './palette-finds.ts'

/** A search starts when the typing pauses. */
const PAUSE_MS = 250

/** The most of the typed words that an entry shows, in characters. */
const MAX_SHOWN = 60

/** Goes to screens, runs actions, and finds memories, chats, people, threads, tags and agents. */
export const Palette = ({ onClose }: { onClose: () => void }) => {
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const typed = query.trim()
  const fixed = useFixedEntries(wordsOf(query))
  const finds = useFinds(usePaused(typed, PAUSE_MS))
  const search: Entry = {
    id: 'search',
    label: texts.searchFor(
      typed.length > MAX_SHOWN ? `${typed.slice(0, MAX_SHOWN).toWellFormed()}…` : typed,
    ),
    icon: 'search',
    run: () => void navigate({ to: '/memories', search: { q: typed } }),
  }
  const groups = [
    ...fixed,
    ...finds,
    { title: texts.groups.search, entries: typed ? [search] : [] },
  ].filter(({ entries }) => entries.length)
  return (
    <ModalOverlay className="modal-overlay" isOpen isDismissable onOpenChange={onClose}>
      <Modal className="modal palette">
        <AriaDialog className="palette-dialog" aria-label={texts.title}>
          <PaletteList
            query={query}
            groups={groups}
            onQuery={setQuery}
            onRun={(entry) => {
              onClose()
              entry.run()
            }}
          />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface PaletteListProps {
  query: string
  groups: readonly EntryGroup[]
  onQuery: (query: string) => void
  onRun: (entry: Entry) => void
}

/** A text field with the list that it narrows (ARIA combobox pattern); the field keeps the focus. */
const PaletteList = ({ query, groups, onQuery, onRun }: PaletteListProps) => {
  const list = useId()
  const [chosen, setChosen] = useState<string>()
  const entries = groups.flatMap((group) => group.entries)
  // Until one is chosen, and once that is gone, it is the first.
  const index = Math.max(
    entries.findIndex(({ id }) => id === chosen),
    0,
  )
  const active = entries[index]
  const element = useRef<HTMLDivElement>(null)
  const activeId = active?.id
  useEffect(() => {
    if (activeId !== undefined)
      element.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setChosen(entries.at((index + step) % entries.length)?.id)
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing && active) onRun(active)
    else return
    event.preventDefault()
  }
  const entryAt = (target: EventTarget): Entry | undefined => {
    const option = target instanceof Element && target.closest<HTMLElement>('[role=option]')
    return option ? entries[Number(option.dataset.index)] : undefined
  }
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const optionId = (id: string) => `${list} ${id}`.replaceAll(/\s/g, '-')
  return (
    <>
      <div className="palette-field">
        <span className="palette-icon">
          <Icon name="search" />
        </span>
        <input
          className="input"
          role="combobox"
          aria-label={texts.title}
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          {...(active && { 'aria-activedescendant': optionId(active.id) })}
          ref={field}
          dir="auto"
          spellCheck={false}
          placeholder={texts.placeholder}
          maxLength={MAX_TEXT_LENGTH}
          value={query}
          onChange={(event) => {
            setChosen(undefined)
            onQuery(event.target.value)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={element}
        id={list}
        role="listbox"
        tabIndex={-1}
        aria-label={texts.title}
        className="palette-menu"
        onKeyDown={onKeyDown}
        onPointerMove={({ target }) => {
          const entry = entryAt(target)
          if (entry && entry !== active) setChosen(entry.id)
        }}
        onClick={({ target }) => {
          const entry = entryAt(target)
          if (entry) onRun(entry)
        }}
      >
        {groups.map(({ title, entries: own }) => (
          <Fragment key={title}>
            <div role="presentation" className="menu-heading">
              {title}
            </div>
            {own.map((entry) => (
              <div
                key={entry.id}
                id={optionId(entry.id)}
                role="option"
                tabIndex={-1}
                aria-selected={entry === active}
                data-index={entries.indexOf(entry)}
                className="menu-item"
              >
                <Icon name={entry.icon} />
                <bdi className="menu-label grow">{entry.label}</bdi>
                {entry.keys && <kbd>{entry.keys}</kbd>}
              </div>
            ))}
          </Fragment>
        ))}
      </div>
    </>
  )
}
