import { type Agent, updateAgent } from '../../../shared/contract/agents.ts'
import { useAction } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { common } from '../../texts/common.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { notify } from '../../ui/toast.tsx'
import { AGENT_FIELDS, AgentFields, readAgentFields } from './agent-fields.tsx'

export const EditAgentDialog = ({ agent, onClose }: { agent: Agent; onClose: () => void }) => {
  const update = useAction(updateAgent, {
    onSuccess: () => {
      notify(common.saved)
      onClose()
    },
  })
  return (
    <Dialog title={chat.agents.editTitle(agent.slug)} isOpen onClose={onClose}>
      <Form
        error={update.error}
        fields={AGENT_FIELDS}
        onSubmit={(data) =>
          update.mutate({ params: { slug: agent.slug }, body: readAgentFields(data) })
        }
      >
        <AgentFields agent={agent} />
        <DialogActions action={common.save} isPending={update.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
