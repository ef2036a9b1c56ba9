import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallArgs } from '../../../shared/client.ts'
import { AgentSlug, listAgents } from '../../../shared/contract/agents.ts'
import { talk } from '../../../shared/contract/talk.ts'
import { useMutationOnce } from '../../session/action.ts'
import { callStream } from '../../session/client.ts'
import { useApi } from '../../session/query.ts'
import { chat } from '../../texts/chat.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { AGENT_FIELDS, AgentFields, readAgentFields } from './agent-fields.tsx'

const texts = chat.agents
const { maxLength, pattern = '' } = AgentSlug()
const SLUG = new RegExp(pattern)

/** An agent begins with its first message, which carries its definition. */
export const CreateAgentDialog = ({
  isOpen,
  onClose,
}: {
  isOpen: boolean
  onClose: () => void
}) => {
  const [slug, setSlug] = useState('')
  const navigate = useNavigate()
  const taken = useApi(listAgents, {}).data?.some((agent) => agent.slug === slug)
  const queries = useQueryClient()
  const create = useMutationOnce({
    // The response has the answer of a model, which takes as long as a stream.
    mutationFn: (args: CallArgs<typeof talk>) => callStream(talk, args),
    onSuccess: ({ agent_slug }) => {
      void queries.invalidateQueries({ queryKey: [listAgents.name] })
      void navigate({ to: '/chat/agents/$slug', params: { slug: agent_slug }, search: true })
    },
  })
  const close = () => {
    onClose()
    setSlug('')
    create.reset()
  }
  const submit = (data: FormData) => {
    const { agent_type, mandate, self_definition, boundaries } = readAgentFields(data)
    create.mutate({
      body: {
        agent_slug: slug,
        message: String(data.get('message')),
        proposed_agent_type: agent_type,
        proposed_mandate: mandate,
        proposed_self_definition: self_definition,
        proposed_boundaries: boundaries,
      },
    })
  }
  return (
    <Dialog title={texts.create} isOpen={isOpen} onClose={close}>
      <p className="quiet">{texts.createNote}</p>
      <Form
        onSubmit={submit}
        error={create.error}
        fields={['agent_slug', 'message', ...AGENT_FIELDS.map((name) => `proposed_${name}`)]}
      >
        <TextField
          name="agent_slug"
          label={texts.slug}
          note={texts.slugNote}
          value={slug}
          onChange={setSlug}
          isRequired
          autoFocus
          maxLength={Number(maxLength)}
          validate={(value) => {
            if (taken) return texts.slugTaken
            return SLUG.test(value) ? null : texts.slugPattern
          }}
        />
        <AgentFields />
        <TextField
          name="message"
          label={texts.firstMessage}
          note={texts.firstMessageNote}
          defaultValue={texts.defaultMessage}
          isRequired
          rows={2}
        />
        <DialogActions action={texts.create} isPending={create.isPending} onCancel={close} />
      </Form>
    </Dialog>
  )
}
