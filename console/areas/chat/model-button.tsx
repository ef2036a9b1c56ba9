import { listChatModels } from '../../../shared/contract/chat.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { chatContext } from '../../texts/chat-context.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { changeDraft, drafts } from './drafts.ts'

const texts = chatContext.models
const FIRST = 'first'

/** The model that answers the next messages of a chat; nothing where there is no choice. */
export const ModelButton = ({ draftKey }: { draftKey: string }) => {
  const { provider } = drafts.use(draftKey)
  const isVerified = useMe()?.email_verified === true
  const models = useApi(listChatModels, {}, { enabled: isVerified }).data?.models ?? []
  const [first, ...others] = models.map(({ provider: id, model, is_available }) => ({
    id,
    label: [model ?? texts.local, !is_available && texts.unavailable].filter(Boolean).join(' · '),
  }))
  if (!first || others.length === 0) return null
  const options = [{ id: FIRST, label: texts.first(first.label) }, ...others]
  const chosen = options.find(({ id }) => id === provider) ?? options[0]
  return (
    <Menu
      label={texts.title}
      trigger={
        <Button isSmall look="quiet" aria-label={texts.choose(chosen?.label ?? '')}>
          <bdi className="truncate chat-model">{chosen?.label}</bdi>
        </Button>
      }
      choice={{
        label: texts.title,
        icon: 'chat',
        value: chosen?.id ?? FIRST,
        options,
        onChange: (id) => changeDraft(draftKey, { provider: id === FIRST ? null : id }),
      }}
      actions={[]}
    />
  )
}
