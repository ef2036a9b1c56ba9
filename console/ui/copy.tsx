import { common } from '../texts/common.ts'
import { IconButton } from './button.tsx'
import { notify } from './toast.tsx'

/** Copies a text and reports it. Without a secure context, browsers offer no clipboard. */
export const copyText = (text: string): void => {
  Promise.resolve(navigator.clipboard?.writeText(text))
    .then(() => notify(navigator.clipboard ? common.copied : common.copyFailed))
    .catch(() => notify(common.copyFailed))
}

/** A button that copies a text. */
export const CopyButton = ({ text, label = common.copy }: { text: string; label?: string }) => (
  <IconButton icon="copy" label={label} onPress={() => copyText(text)} />
)

/**
 * Text to copy, such as a command, a key or a configuration. A region that scrolls must be reachable by
 * keyboard (axe-core: scrollable-region-focusable).
 */
export const CopyBlock = ({ text, label }: { text: string; label?: string }) => (
  <div className="copyable">
    <pre className="code-block" tabIndex={0}>
      {text}
    </pre>
    <CopyButton text={text} {...(label && { label })} />
  </div>
)
