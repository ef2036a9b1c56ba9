import { home } from '../../texts/home.ts'
import { ResendVerification } from '../../ui/resend-verification.tsx'
import { AttentionItem } from './attention-item.tsx'

export const VerifyItem = () => (
  <AttentionItem icon="mail" title={home.attention.verify} actions={<ResendVerification />} />
)
