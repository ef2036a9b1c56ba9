import { palette } from '../texts/palette.ts'
import { Switch } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { AREAS } from './areas.ts'
import { setSingleKeys, useSingleKeys } from './shortcuts.ts'

const texts = palette.keys
const names = palette.keyNames

const GROUPS: readonly {
  title: string
  rows: readonly (readonly [keys: string, text: string])[]
}[] = [
  {
    title: texts.anywhere,
    rows: [
      [names.palette, texts.palette],
      ['/', texts.find],
      ['?', texts.sheet],
      ['c', texts.chat],
      ['n', texts.remember],
    ],
  },
  {
    title: texts.go,
    rows: AREAS.map(({ key, label }) => [`g ${key}`, label]),
  },
  {
    title: texts.lists,
    rows: [
      ['↑ ↓', texts.move],
      [names.select, texts.select],
      [names.range, texts.range],
      [names.all, texts.all],
      [names.open, texts.openRow],
      [names.clear, texts.clear],
    ],
  },
]

/** All shortcuts, and the switch for those of a single key. */
export const ShortcutSheet = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={texts.title} isOpen isWide onClose={onClose}>
    <div className="shortcut-groups">
      {GROUPS.map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl className="shortcuts">
            {rows.map(([keys, text]) => (
              <div key={keys}>
                <dt>
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
    <Switch isSelected={useSingleKeys()} onChange={setSingleKeys}>
      {texts.single}
    </Switch>
    <p className="quiet small">{texts.singleNote}</p>
  </Dialog>
)
