import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { palette } from '../texts/palette.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { close, openPalette, openSheet, useOpenPalette } from './open-palette.ts'
import { type ShortcutActions, useShortcuts } from './shortcuts.ts'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))
const ShortcutSheet = lazy(async () => ({
  default: (await import('./shortcut-sheet.tsx')).ShortcutSheet,
}))

/** The palette and the sheet of shortcuts, one at a time, and the keys that open them. */
export const Palettes = () => {
  const shown = useOpenPalette()
  const navigate = useNavigate()
  const actions = useMemo<ShortcutActions>(
    () => ({
      openPalette,
      openSheet,
      goTo: (to) => void navigate({ to }),
      newChat: () => void navigate({ to: '/chat' }),
      remember: () => void navigate({ to: '/memories/new' }),
    }),
    [navigate],
  )
  useShortcuts(actions)
  return (
    <Suspense>
      {shown === 'palette' && <Palette onClose={close} />}
      {shown === 'sheet' && <ShortcutSheet onClose={close} />}
    </Suspense>
  )
}

interface PaletteButtonProps {
  onOpen?: (() => void) | undefined
  isSmall?: boolean
}

/** Shows those who do not know the key that there is a search. */
export const PaletteButton = ({ onOpen, isSmall }: PaletteButtonProps) => {
  const press = () => {
    onOpen?.()
    openPalette()
  }
  if (isSmall) return <IconButton icon="search" label={palette.title} onPress={press} />
  return (
    <AriaButton className="button shell-search" onPress={press}>
      <Icon name="search" />
      <span className="grow">{palette.button}</span>
      <kbd>{palette.keyNames.palette}</kbd>
    </AriaButton>
  )
}
