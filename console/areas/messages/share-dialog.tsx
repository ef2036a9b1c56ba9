import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  createShare,
  deleteShare,
  listShares,
  type OwnShare,
  type Share,
} from '../../../shared/contract/shares.ts'
import { useAction, useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { common } from '../../texts/common.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { Time } from '../../ui/time.tsx'

const texts = chat.share

/** The newest shares: older links to this chat are on the page of all shared links. */
const QUERY = { query: { limit: 100 } }

interface ShareDialogProps {
  sessionId: string
  /** The last message to share. Default: all messages. */
  messageId?: string
  onClose: () => void
}

export const ShareDialog = ({ sessionId, messageId, onClose }: ShareDialogProps) => {
  const [created, setCreated] = useState<Share>()
  const [revoking, setRevoking] = useState<OwnShare>()
  const create = useAction(createShare, { onSuccess: setCreated })
  const shares = useApi(listShares, QUERY).data ?? []
  const existing = shares.filter(
    ({ session_id, token }) => session_id === sessionId && token !== created?.token,
  )
  const share = () =>
    create.mutate({ body: { session_id: sessionId, ...(messageId && { message_id: messageId }) } })
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      {created ? (
        <>
          <Notice look="good">{texts.created}</Notice>
          <CopyBlock text={created.url} label={texts.copy} />
        </>
      ) : (
        <>
          <p>{texts.note}</p>
          <Notice look="warn">{texts.quotes}</Notice>
          {messageId && <p>{texts.upTo}</p>}
          {create.error && <ErrorNotice error={create.error} />}
        </>
      )}
      {existing.length > 0 && (
        <section className="stack-small">
          <h3>{texts.existing}</h3>
          <ul className="list">
            {existing.map((each) => (
              <li key={each.token} className="stack-small">
                <CopyBlock text={each.url} label={texts.copy} />
                <span className="row spread small quiet">
                  <span>
                    {texts.messages(each.message_count)}, <Time iso={each.created_at} />
                  </span>
                  <Button isSmall look="danger" onPress={() => setRevoking(each)}>
                    {texts.revoke}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <div className="dialog-actions">
        <Link to="/people/shares" className="button quiet" onClick={onClose}>
          {texts.all}
        </Link>
        <Button onPress={onClose}>{common.close}</Button>
        {!created && (
          <Button look="primary" isPending={create.isPending} onPress={share}>
            {texts.create}
          </Button>
        )}
      </div>
      <RemovalDialog
        row={deleteShare}
        entry={revoking && { name: '', args: { params: { token: revoking.token } } }}
        texts={{
          title: texts.revokeTitle,
          note: texts.revokeNote,
          action: texts.revoke,
          done: texts.revoked,
        }}
        onClose={() => setRevoking(undefined)}
      />
    </Dialog>
  )
}
